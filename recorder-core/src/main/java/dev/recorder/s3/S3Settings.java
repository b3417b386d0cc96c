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

  public S3Settings {
    require(!region.isBlank(), "region is missing");
    require(!bucket.isBlank(), "bucket is missing");
    require(isPositive(attemptTimeout), "attempt timeout must be positive, is " + attemptTimeout);
    require(maxConnections > 0, "max connections must be positive, is " + maxConnections);
    require(endpoint.isEmpty() || isServerUrl(endpoint), "endpoint must be http(s)://host[:port]");
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
}
