package dev.recorder.app.config.recorder;

import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.app.config.value.RecorderKindWord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One recorder as this machine runs it. */
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

  /** Its topic; names its hand-off table and its folder in S3. */
  public String name() {
    return name;
  }

  /** Its advisory lock, unique among recorders. */
  public int lockId() {
    return get(RecorderSectionKeys.LOCKID);
  }

  public RecorderKindWord kind() {
    return get(RecorderSectionKeys.KIND);
  }

  /** Whether this machine is the one preferred to be active; never of requests, or with a key. */
  public boolean primary() {
    return Boolean.TRUE.equals(orNull(RecorderSectionKeys.PRIMARY));
  }

  /** Merged with {@code [s3]}. */
  public S3Config s3() {
    return new S3Config(this);
  }

  /** Tables whose changes come as well. */
  public List<CaptureSection> captures() {
    return captures;
  }

  /** The program that {@code handler = exec:PATH} names, absolute; null for any other handler. */
  public @Nullable Path program() {
    String handler = orNull(RecorderSectionKeys.HANDLER);
    return handler == null ? null : RecorderSectionKeys.program(handler);
  }

  /** The same recorder with what a reload applies of another file. */
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
