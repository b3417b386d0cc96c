package dev.recorder.s3;

import dev.recorder.s3.S3Settings.Checksums;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Makes the SDK's clients for one bucket; they share its connections. Thread-safe. */
final class S3Clients implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /**
   * Shorter than servers keep idle connections, so that a PUT never uses a connection that is being
   * closed.
   */
  private static final Duration IDLE_CONNECTION = Duration.ofSeconds(4);

  private final S3Settings settings;
  private final AwsCredentialsProvider credentials;
  private final ExpectContinueSwitch expect;
  private final SdkHttpClient http;

  S3Clients(S3Settings settings, AwsCredentialsProvider credentials, ExpectContinueSwitch expect) {
    this.settings = settings;
    this.credentials = credentials;
    this.expect = expect;
    this.http = httpClient(settings);
  }

  private static SdkHttpClient httpClient(S3Settings settings) {
    Duration limit = settings.attemptTimeout();
    return Apache5HttpClient.builder()
        .maxConnections(settings.maxConnections())
        .connectionTimeout(limit.compareTo(CONNECT_TIMEOUT) < 0 ? limit : CONNECT_TIMEOUT)
        .connectionAcquisitionTimeout(limit)
        .socketTimeout(limit)
        .connectionMaxIdleTime(IDLE_CONNECTION)
        .build();
  }

  /** Makes a client, which the caller closes. Its connections stay open. */
  S3Client client(Checksums mode, RetryStrategy retries) {
    String checksums = mode.name(); // The SDK uses the same names.
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClient(http)
            .credentialsProvider(credentials)
            .region(Region.of(settings.region()))
            .forcePathStyle(settings.pathStyle())
            .dualstackEnabled(settings.endpoints().dualstack())
            .fipsEnabled(settings.endpoints().fips())
            .requestChecksumCalculation(RequestChecksumCalculation.valueOf(checksums))
            .responseChecksumValidation(ResponseChecksumValidation.valueOf(checksums))
            .overrideConfiguration(
                o ->
                    o.apiCallTimeout(settings.attemptTimeout())
                        .apiCallAttemptTimeout(settings.attemptTimeout())
                        .retryStrategy(retries)
                        .addExecutionInterceptor(expect))
            .serviceConfiguration(
                s3 -> s3.expectContinueThresholdInBytes((long) ExpectContinueSwitch.FROM_BYTES));
    if (!settings.endpoint().isEmpty()) {
      builder.endpointOverride(URI.create(settings.endpoint()));
    }
    return builder.build();
  }

  @Override
  public void close() {
    http.close();
  }
}
