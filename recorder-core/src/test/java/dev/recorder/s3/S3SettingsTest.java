package dev.recorder.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3SettingsTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @ParameterizedTest
  @ValueSource(strings = {"", "http://127.0.0.1:9000", "https://minio.example"})
  void takesAServerOrNone(String endpoint) {
    assertThat(settings("eu-central-1", "bucket", endpoint, LIMIT, 1).endpoint())
        .isEqualTo(endpoint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"minio.example", "minio.example:9000", "ftp://minio", "http://me:secret@minio"})
  void refusesAnEndpointThatIsNoServerOrCarriesASecret(String endpoint) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings("eu-central-1", "bucket", endpoint, LIMIT, 1))
        .withMessageContaining("endpoint")
        .withMessageNotContaining("secret");
  }

  @Test
  void refusesWhatIsMissingOrNotPositive() {
    assertThatIllegalArgumentException().isThrownBy(() -> settings("", "bucket", "", LIMIT, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> settings("r", " ", "", LIMIT, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings("r", "bucket", "", Duration.ZERO, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> settings("r", "bucket", "", LIMIT, 0));
  }

  private static S3Settings settings(
      String region, String bucket, String endpoint, Duration limit, int connections) {
    return S3Settings.of(region, bucket)
        .endpoint(endpoint)
        .attemptTimeout(limit)
        .maxConnections(connections)
        .build();
  }
}
