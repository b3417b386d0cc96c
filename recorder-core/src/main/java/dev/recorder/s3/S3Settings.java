package dev.recorder.s3;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The address of a bucket, and how to access it.
 *
 * @param endpoint URL of the server; empty for the region's own
 * @param pathStyle puts the bucket into the path instead of the host name; most servers other than
 *     AWS need it
 * @param attemptTimeout time limit of each call
 * @param checksums whether bodies carry a trailing checksum
 * @param maxConnections most concurrent calls; further calls wait within their time limit
 * @param endpoints the choice among the region's own endpoints
 * @param role the role whose credentials are used; null for those of the SDK's default chain
 * @param objects the attributes of each object
 */
public record S3Settings(
    String region,
    String bucket,
    String endpoint,
    boolean pathStyle,
    Duration attemptTimeout,
    Checksums checksums,
    int maxConnections,
    RegionEndpoints endpoints,
    @Nullable AwsRole role,
    ObjectAttributes objects) {

  /**
   * The choice among AWS's endpoints of a region: with IPv4 and IPv6, or with FIPS cryptography.
   */
  public record RegionEndpoints(boolean dualstack, boolean fips) {
    static final RegionEndpoints USUAL = new RegionEndpoints(false, false);
  }

  /**
   * A role to assume.
   *
   * @param externalId the external id that the role's trust policy demands; empty if it demands
   *     none
   * @param session session the name of this host in the account's logs
   */
  public record AwsRole(String arn, String externalId, String session) {}

  /** When bodies are sent with a checksum, and received bodies verified. */
  public enum Checksums {
    /** Always. */
    WHEN_SUPPORTED,
    /** Only if S3 requires it. For servers that refuse trailing checksums. */
    WHEN_REQUIRED
  }

  /** The default of {@code attemptTimeout}. */
  public static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(30);

  private static final int MAX_CONNECTIONS = 64;

  public S3Settings {
    require(!region.isBlank(), "region is missing");
    require(!bucket.isBlank(), "bucket is missing");
    require(
        !attemptTimeout.isZero() && !attemptTimeout.isNegative(),
        "attempt timeout must be positive, is " + attemptTimeout);
    require(maxConnections > 0, "max connections must be positive, is " + maxConnections);
    require(endpoint.isEmpty() || isServerUrl(endpoint), "endpoint must be http(s)://host[:port]");
    require(
        endpoint.isEmpty() || endpoints.equals(RegionEndpoints.USUAL),
        "dualstack and fips choose among AWS's endpoints, and endpoint names another");
    require(
        objects.lock() == null || checksums == Checksums.WHEN_SUPPORTED,
        "locked objects need checksums");
  }

  /** Returns a builder with defaults for all other settings. */
  public static Builder of(String region, String bucket) {
    return new Builder(region, bucket);
  }

  /**
   * Returns whether the endpoint is a URL of a server. A URL with user and password is not
   * accepted, as the endpoint appears in the database, in logs and in error messages.
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

  /** Not thread-safe. */
  public static final class Builder {
    private final String region;
    private final String bucket;
    private String endpoint = "";
    private boolean pathStyle;
    private Duration attemptTimeout = ATTEMPT_TIMEOUT;
    private Checksums checksums = Checksums.WHEN_SUPPORTED;
    private int maxConnections = MAX_CONNECTIONS;
    private RegionEndpoints endpoints = RegionEndpoints.USUAL;
    private @Nullable AwsRole role;
    private ObjectAttributes objects = ObjectAttributes.NONE;

    private Builder(String region, String bucket) {
      this.region = region;
      this.bucket = bucket;
    }

    /** Default: the region's own. */
    public Builder endpoint(String given) {
      endpoint = given;
      return this;
    }

    /** Default: false. */
    public Builder pathStyle(boolean given) {
      pathStyle = given;
      return this;
    }

    /** Default: {@link #ATTEMPT_TIMEOUT}. */
    public Builder attemptTimeout(Duration given) {
      attemptTimeout = given;
      return this;
    }

    /** Default: always. */
    public Builder checksums(Checksums given) {
      checksums = given;
      return this;
    }

    /** Default: 64. */
    public Builder maxConnections(int given) {
      maxConnections = given;
      return this;
    }

    /** Default: the endpoints with IPv4 and without FIPS. */
    public Builder endpoints(RegionEndpoints given) {
      endpoints = given;
      return this;
    }

    /** Default: none. */
    public Builder role(@Nullable AwsRole given) {
      role = given;
      return this;
    }

    /** Default: none. */
    public Builder objects(ObjectAttributes given) {
      objects = given;
      return this;
    }

    /**
     * Makes the settings.
     *
     * @throws IllegalArgumentException if they are invalid, with the reason
     */
    public S3Settings build() {
      return new S3Settings(
          region,
          bucket,
          endpoint,
          pathStyle,
          attemptTimeout,
          checksums,
          maxConnections,
          endpoints,
          role,
          objects);
    }
  }
}
