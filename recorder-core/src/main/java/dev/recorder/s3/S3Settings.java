package dev.recorder.s3;

import java.net.URI;
import java.time.Duration;

/**
 * One bucket, and how to talk to it.
 *
 * @param endpoint URL of the server, empty for the region's own
 * @param pathStyle bucket in the path instead of the host name; most servers other than AWS need it
 * @param attemptTimeout limit of every call
 * @param checksums whether bodies carry a trailing checksum
 * @param maxConnections limit of calls at a time; further ones wait within their time limit
 */
public record S3Settings(
    String region,
    String bucket,
    String endpoint,
    boolean pathStyle,
    Duration attemptTimeout,
    Checksums checksums,
    int maxConnections) {

  /** When a body is sent with a checksum, and one that comes is verified. */
  public enum Checksums {
    /** Always. */
    WHEN_SUPPORTED,
    /** Only where S3 insists: for servers that refuse trailing checksums. */
    WHEN_REQUIRED
  }

  /** {@code attemptTimeout} without configuration. */
  public static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(30);

  private static final int MAX_CONNECTIONS = 64;

  public S3Settings {
    require(!region.isBlank(), "region is missing");
    require(!bucket.isBlank(), "bucket is missing");
    require(isPositive(attemptTimeout), "attempt timeout must be positive, is " + attemptTimeout);
    require(maxConnections > 0, "max connections must be positive, is " + maxConnections);
    require(endpoint.isEmpty() || isServerUrl(endpoint), "endpoint must be http(s)://host[:port]");
  }

  /** Settings of a bucket, of which all but these have a value. */
  public static Builder of(String region, String bucket) {
    return new Builder(region, bucket);
  }

  private static boolean isPositive(Duration duration) {
    return !duration.isZero() && !duration.isNegative();
  }

  /**
   * Without user and password: an endpoint stands in the database, in logs and in error messages.
   */
  private static boolean isServerUrl(String endpoint) {
    URI url = URI.create(endpoint);
    boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
    return http && url.getHost() != null && url.getUserInfo() == null;
  }

  private static void require(boolean holds, String problem) {
    if (!holds) {
      throw new IllegalArgumentException(problem);
    }
  }

  /** Settings that are being put together; not thread-safe. */
  public static final class Builder {
    private final String region;
    private final String bucket;
    private String endpoint = "";
    private boolean pathStyle;
    private Duration attemptTimeout = ATTEMPT_TIMEOUT;
    private Checksums checksums = Checksums.WHEN_SUPPORTED;
    private int maxConnections = MAX_CONNECTIONS;

    private Builder(String region, String bucket) {
      this.region = region;
      this.bucket = bucket;
    }

    /** Of a server that is not Amazon's; the region's own otherwise. */
    public Builder endpoint(String given) {
      endpoint = given;
      return this;
    }

    /** False otherwise. */
    public Builder pathStyle(boolean given) {
      pathStyle = given;
      return this;
    }

    /** 30 s otherwise. */
    public Builder attemptTimeout(Duration given) {
      attemptTimeout = given;
      return this;
    }

    /** Always otherwise. */
    public Builder checksums(Checksums given) {
      checksums = given;
      return this;
    }

    /** 64 otherwise. */
    public Builder maxConnections(int given) {
      maxConnections = given;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException if they cannot be used; says why
     */
    public S3Settings build() {
      return new S3Settings(
          region, bucket, endpoint, pathStyle, attemptTimeout, checksums, maxConnections);
    }
  }
}
