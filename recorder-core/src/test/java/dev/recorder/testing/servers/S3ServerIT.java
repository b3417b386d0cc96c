package dev.recorder.testing.servers;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import java.net.URI;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The S3 server and the tap before it, as the SDK sees them. */
class S3ServerIT {
  private static final int LARGE = 8 << 20;

  private static S3Server server;

  @BeforeAll
  static void start() {
    server = S3Server.start();
    server.createBucket("bucket");
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(RequestChecksumCalculation.class)
  void bodiesPassTheTapUnchangedWhateverTheirFraming(RequestChecksumCalculation checksums) {
    byte[] body = new byte[LARGE];
    new Random(1).nextBytes(body);
    String key = "large/" + checksums;
    try (HttpTap tap = HttpTap.to(server.port());
        S3Client client = client(tap.endpoint(), S3Server.SECRET_KEY, checksums)) {
      client.putObject(
          put -> put.bucket("bucket").key(key).metadata(Map.of("writer", "alpha")),
          RequestBody.fromBytes(body));

      assertThat(client.getObjectAsBytes(get -> get.bucket("bucket").key(key)).asByteArray())
          .isEqualTo(body);
      assertThat(tap.requests().get(0).writer()).contains("alpha");
    }
    assertThat(server.objects("bucket", "large/")).containsEntry(key, body);
    assertThat(server.metadata("bucket", key)).containsEntry("writer", "alpha");
  }

  @Test
  void aHeldRequestArrivesAfterItsClientHasLeft() throws Exception {
    try (HttpTap tap = HttpTap.to(server.port())) {
      tap.onNext(1, request -> request.method().equals("PUT"), Fault.hold());
      S3Client client =
          client(tap.endpoint(), S3Server.SECRET_KEY, RequestChecksumCalculation.WHEN_SUPPORTED);
      CompletableFuture<Void> put =
          CompletableFuture.runAsync(
              () ->
                  client.putObject(
                      late -> late.bucket("bucket").key("late"), RequestBody.fromString("late")));
      await().until(() -> tap.holding() == 1);
      client.close();
      assertThat(put).failsWithin(A_MINUTE);
      assertThat(server.objects("bucket", "late")).isEmpty();

      tap.release();

      await().untilAsserted(() -> assertThat(server.objects("bucket", "late")).containsKey("late"));
      assertThat(new String(server.read("bucket", "late"), UTF_8)).isEqualTo("late");
    }
  }

  @Test
  void aWrongSecretIsRefused() {
    try (S3Client client =
        client(server.endpoint(), "wrong", RequestChecksumCalculation.WHEN_REQUIRED)) {
      assertThatThrownBy(() -> client.headObject(head -> head.bucket("bucket").key("any")))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
    }
  }

  private static S3Client client(
      URI endpoint, String secret, RequestChecksumCalculation checksums) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(Region.of(S3Server.REGION))
        .forcePathStyle(true)
        .requestChecksumCalculation(checksums)
        .httpClientBuilder(Apache5HttpClient.builder())
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(S3Server.ACCESS_KEY, secret)))
        .build();
  }
}
