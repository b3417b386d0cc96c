package dev.recorder.app.config;

import static dev.recorder.app.config.S3Config.BUCKET;
import static dev.recorder.app.config.S3Config.CHECKSUMS;
import static dev.recorder.app.config.S3Config.ENDPOINT;
import static dev.recorder.app.config.S3Config.PATH_STYLE;
import static dev.recorder.app.config.S3Config.PREFIX;
import static dev.recorder.app.config.S3Config.REGION;
import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The S3 keys, which stand in {@code [s3]} and may be set again in a recorder's section. What is
 * set in neither is missing in {@code [s3]}, if there is one.
 */
final class S3Reader {
  private static final List<Setting<?>> ALL =
      List.of(REGION, BUCKET, PREFIX, ENDPOINT, PATH_STYLE, CHECKSUMS);

  private final SectionReader own;
  private final SectionReader shared;
  private final boolean hasShared;

  private S3Reader(SectionReader own, SectionReader shared, boolean hasShared) {
    this.own = own;
    this.shared = shared;
    this.hasShared = hasShared;
  }

  /** {@code [s3]} itself: what no recorder inherits is checked all the same. */
  static void check(SectionReader shared) {
    ALL.forEach(shared::optional);
    shared.reportUnknownKeys();
  }

  static Buildable<S3Config> read(SectionReader own, SectionReader shared, boolean hasShared) {
    ALL.forEach(own::know);
    return new S3Reader(own, shared, hasShared).read();
  }

  private Buildable<S3Config> read() {
    URI endpoint = from(ENDPOINT).optional(ENDPOINT);
    String region = region();
    String bucket = from(BUCKET).required(BUCKET);
    String prefix = from(PREFIX).value(PREFIX);
    Boolean written = from(PATH_STYLE).optional(PATH_STYLE);
    // Servers other than AWS seldom answer to host names made of bucket names.
    boolean pathStyle = written == null ? endpoint != null : written;
    ChecksumMode checksums = from(CHECKSUMS).value(CHECKSUMS);
    return () ->
        new S3Config(
            requireNonNull(region), requireNonNull(bucket), prefix, endpoint, pathStyle, checksums);
  }

  private @Nullable String region() {
    SectionReader reader = from(REGION);
    boolean needed = !from(ENDPOINT).has(ENDPOINT);
    String region = needed ? reader.required(REGION) : reader.optional(REGION);
    return region == null && !needed ? S3Config.REGION_WITH_ENDPOINT : region;
  }

  private SectionReader from(Setting<?> setting) {
    return own.has(setting) || !hasShared ? own : shared;
  }
}
