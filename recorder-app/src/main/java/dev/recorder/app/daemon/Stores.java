package dev.recorder.app.daemon;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.host.TimingConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.handoff.RecorderName;
import dev.recorder.s3.S3ObjectStore;
import dev.recorder.s3.S3Settings;
import dev.recorder.s3.S3Settings.RegionEndpoints;
import dev.recorder.store.DocumentStore;
import dev.recorder.time.DatabaseTime;
import dev.recorder.time.NamedThreadFactory;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of a configuration. Each bucket is opened on first use and shared by all its
 * recorders.
 */
public final class Stores implements Function<RecorderName, DocumentStore>, AutoCloseable {
  /** Enough connections for the machine's store threads and the racing writers of a store test. */
  private static final int MOST_CONNECTIONS = 80;

  private final RecorderConfig config;
  private final Map<String, RecorderSection> sections = new ConcurrentHashMap<>();
  private final DatabaseTime time = new DatabaseTime();

  @GuardedBy("this")
  private final Map<S3Settings, S3ObjectStore> open = new HashMap<>();

  public Stores(RecorderConfig config) {
    this.config = config;
    use(config);
  }

  /**
   * Adds the recorders of a changed configuration. Open buckets stay open. Removed recorders stay
   * known, since the machine learns of the change later.
   */
  final void use(RecorderConfig changed) {
    changed.recorders().forEach(recorder -> sections.put(recorder.name(), recorder));
  }

  @Override
  public DocumentStore apply(RecorderName recorder) {
    RecorderSection section = sections.get(recorder.value());
    if (section == null) {
      throw new IllegalArgumentException("no recorder " + recorder);
    }
    return of(section);
  }

  /** Returns the database's time that the stores use. Code with a session updates it. */
  public DatabaseTime time() {
    return time;
  }

  public synchronized DocumentStore of(RecorderSection recorder) {
    return open.computeIfAbsent(
        settings(recorder.s3()), settings -> S3ObjectStore.openLocking(settings, time));
  }

  /**
   * Starts a thread that opens all buckets. Making an S3 client takes a large part of a start, and
   * the host can connect to its database meanwhile. A call of {@link #of} for a bucket that is
   * being opened waits, and throws the bucket's own failure.
   */
  void openAhead() {
    new NamedThreadFactory("open-stores")
        .newThread(() -> sections.values().forEach(this::tryOpen))
        .start();
  }

  private void tryOpen(RecorderSection recorder) {
    try {
      of(recorder);
    } catch (RuntimeException failsAgain) {
      // A later call of of() fails in the same way and reports the failure.
    }
  }

  /** Returns the settings that need a client of their own. The prefix does not need one. */
  private S3Settings settings(S3Config s3) {
    URI endpoint = s3.orNull(S3Config.ENDPOINT);
    String role = s3.orNull(S3Config.ROLE_ARN);
    return S3Settings.of(s3.get(S3Config.REGION), s3.get(S3Config.BUCKET))
        .endpoint(endpoint == null ? "" : endpoint.toString())
        .pathStyle(s3.get(S3Config.PATH_STYLE))
        .attemptTimeout(config.timing().get(TimingConfig.S3_ATTEMPT_TIMEOUT))
        .checksums(s3.get(S3Config.CHECKSUMS))
        .maxConnections(MOST_CONNECTIONS)
        .endpoints(
            new RegionEndpoints(is(s3.orNull(S3Config.DUALSTACK)), is(s3.orNull(S3Config.FIPS))))
        .role(role == null ? null : role(role, s3.orNull(S3Config.EXTERNAL_ID)))
        .objects(s3.attributes())
        .build();
  }

  private static boolean is(@Nullable Boolean flag) {
    return Boolean.TRUE.equals(flag);
  }

  /**
   * Names the role's session after the host. The name must have at least two characters and no
   * colon.
   */
  private S3Settings.AwsRole role(String arn, @Nullable String externalId) {
    String host = config.machine().name().replace(':', '-');
    return new S3Settings.AwsRole(
        arn, Objects.requireNonNullElse(externalId, ""), host.length() < 2 ? "host-" + host : host);
  }

  @Override
  public synchronized void close() {
    open.values().forEach(S3ObjectStore::close);
    open.clear();
  }
}
