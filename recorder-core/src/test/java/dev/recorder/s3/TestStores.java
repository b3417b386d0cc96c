package dev.recorder.s3;

import dev.recorder.testing.servers.S3Server;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Stores on the servers of tests. */
public final class TestStores {
  private TestStores() {}

  /** Settings of a bucket on such a server. */
  public static S3Settings.Builder settings(URI endpoint, String bucket) {
    return S3Settings.of(S3Server.REGION, bucket).endpoint(endpoint.toString()).pathStyle(true);
  }

  /** A store with these, and with the credentials that such servers know. */
  public static S3ObjectStore open(S3Settings.Builder settings) {
    return S3ObjectStore.open(settings.build(), credentials(S3Server.SECRET_KEY));
  }

  static StaticCredentialsProvider credentials(String secret) {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(S3Server.ACCESS_KEY, secret));
  }
}
