package dev.recorder.app.daemon;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.host.TimingConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.handoff.RecorderName;
import dev.recorder.s3.S3ObjectStore;
import dev.recorder.s3.S3Settings;
import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.DocumentStore;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The buckets of a configuration, opened on first use and shared by recorders. */
public final class Stores implements Function<RecorderName, DocumentStore>, AutoCloseable {
  /** Enough for the machine's store threads and the racers of a store test. */
  private static final int MOST_CONNECTIONS = 80;

  private final RecorderConfig config;
  private final Map<String, RecorderSection> sections = new ConcurrentHashMap<>();

  @GuardedBy("this")
  private final Map<Address, S3ObjectStore> open = new HashMap<>();

  /** The settings that need a client of their own; the prefix does not. */
  private record Address(
      String region,
      String bucket,
      @Nullable URI endpoint,
      boolean pathStyle,
      Checksums checksums) {
    static Address of(S3Config s3) {
      return new Address(
          s3.get(S3Config.REGION),
          s3.get(S3Config.BUCKET),
          s3.orNull(S3Config.ENDPOINT),
          s3.get(S3Config.PATH_STYLE),
          s3.get(S3Config.CHECKSUMS));
    }
  }

  public Stores(RecorderConfig config) {
    this.config = config;
    use(config);
  }

  /**
   * Adds the recorders of a changed configuration. Open buckets stay open, and removed recorders
   * stay known, since the machine learns of the change later.
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

  public synchronized DocumentStore of(RecorderSection recorder) {
    return open.computeIfAbsent(Address.of(recorder.s3()), this::open);
  }

  private S3ObjectStore open(Address address) {
    return S3ObjectStore.open(
        S3Settings.of(address.region(), address.bucket())
            .endpoint(address.endpoint() == null ? "" : address.endpoint().toString())
            .pathStyle(address.pathStyle())
            .attemptTimeout(config.timing().get(TimingConfig.S3_ATTEMPT_TIMEOUT))
            .checksums(address.checksums())
            .maxConnections(MOST_CONNECTIONS)
            .build());
  }

  @Override
  public synchronized void close() {
    open.values().forEach(S3ObjectStore::close);
    open.clear();
  }
}
