package dev.recorder.app.config.recorder;

import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.handoff.RecorderKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The section of a recorder, as in effect on this host. */
public final class RecorderSection extends SectionValues {
  public static final String SECTION = "recorder:";
  static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,39}");

  private final String name;
  private final List<CaptureSection> captures;

  RecorderSection(String name, Map<String, ?> values, List<CaptureSection> captures) {
    super(RecorderSectionKeys.TABLE, values);
    this.name = name;
    this.captures = List.copyOf(captures);
  }

  /**
   * Returns the recorder's name, which is also the name of its hand-off table and of its folder in
   * S3.
   */
  public String name() {
    return name;
  }

  /** Returns the lockid, which is unique among recorders. */
  public int lockId() {
    return get(RecorderSectionKeys.LOCKID);
  }

  public RecorderKind kind() {
    return get(RecorderSectionKeys.KIND);
  }

  /**
   * Whether this host is the primary; always false for requests and with {@code election = redis}.
   */
  public boolean primary() {
    return Boolean.TRUE.equals(orNull(RecorderSectionKeys.PRIMARY));
  }

  /** Returns the recorder's store: the keys of {@code [s3]}, overridden by this section. */
  public S3Config s3() {
    return new S3Config(this);
  }

  /** The captured tables. */
  public List<CaptureSection> captures() {
    return captures;
  }

  /** Returns the absolute path in {@code handler = exec:PATH}; null for other handlers. */
  public @Nullable Path program() {
    String handler = orNull(RecorderSectionKeys.HANDLER);
    return handler == null ? null : RecorderSectionKeys.program(handler);
  }

  /** Returns the section in effect after a reload that read {@code fresh}. */
  public RecorderSection reloading(RecorderSection fresh) {
    boolean listed = kind() == fresh.kind();
    return new RecorderSection(name, reloaded(fresh), listed ? fresh.captures : captures);
  }

  @Override
  public String section() {
    return SECTION + name;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof RecorderSection that
        && captures.equals(that.captures);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
