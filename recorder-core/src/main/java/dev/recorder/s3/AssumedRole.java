package dev.recorder.s3;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;

/**
 * Credentials of an assumed role, possibly of another account. The credentials of the SDK's default
 * chain request them. They are renewed five minutes before they expire. Thread-safe.
 */
final class AssumedRole implements AwsCredentialsProvider, AutoCloseable {
  private final DefaultCredentialsProvider chain = DefaultCredentialsProvider.builder().build();
  private final SdkHttpClient http = Apache5HttpClient.builder().build();
  private final StsClient sts;
  private final StsAssumeRoleCredentialsProvider role;

  /** Makes the credentials without connecting. */
  static AssumedRole of(S3Settings settings, S3Settings.AwsRole role) {
    return new AssumedRole(settings, role, null);
  }

  /**
   * Makes the credentials with another server, for tests.
   *
   * @param endpoint null for the region's own
   */
  AssumedRole(S3Settings settings, S3Settings.AwsRole role, @Nullable URI endpoint) {
    StsClientBuilder builder =
        StsClient.builder()
            .httpClient(http)
            .credentialsProvider(chain)
            .fipsEnabled(settings.endpoints().fips())
            .region(Region.of(settings.region()))
            .overrideConfiguration(
                o ->
                    o.apiCallTimeout(settings.attemptTimeout())
                        .apiCallAttemptTimeout(settings.attemptTimeout()));
    if (endpoint != null) {
      builder.endpointOverride(endpoint);
    }
    this.sts = builder.build();
    this.role =
        StsAssumeRoleCredentialsProvider.builder()
            .stsClient(sts)
            .refreshRequest(
                ask ->
                    ask.roleArn(role.arn())
                        .roleSessionName(role.session())
                        .externalId(role.externalId().isEmpty() ? null : role.externalId()))
            .build();
  }

  @Override
  public AwsCredentials resolveCredentials() {
    return role.resolveCredentials();
  }

  @Override
  public void close() {
    role.close();
    sts.close();
    http.close();
    chain.close();
  }
}
