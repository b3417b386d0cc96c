package dev.recorder.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.ObjectStore.Created;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.store.ObjectStore.RefusalCause;
import dev.recorder.store.ObjectStore.Unclear;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import dev.recorder.testing.servers.S3Server;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stores that refuse a header of ours, or miss one, and proxies in front that have limits. */
@Timeout(300)
class StoreRefusalsIT {
  private static final String BUCKET = "bucket";
  private static S3Server server;

  private final String key = "prefix/name/" + UUID.randomUUID();
  private final HttpTap tap = HttpTap.to(server.port());

  @BeforeAll
  static void start() {
    server = S3Server.start();
    server.createBucket(BUCKET);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @AfterEach
  void closeTap() {
    tap.close();
  }

  /** As R2, B2 and Storj answer. */
  @ParameterizedTest
  @CsvSource({"501, NotImplemented", "400, InvalidArgument", "411, MissingContentLength"})
  void aStoreThatRefusesChecksumsIsAskedOnceWithoutAndTheKeyIsNamed(int status, String code) {
    tap.onRequest(r -> hasChecksum(r) ? Fault.answer(status, code) : Fault.none());
    try (S3ObjectStore store = open(Checksums.WHEN_SUPPORTED)) {
      for (int again = 1; again <= 3; again++) {
        Unclear unclear = (Unclear) put(store, 10);
        assertThat(unclear.cause()).isEqualTo(RefusalCause.SETTING);
        assertThat(unclear.remediable()).isFalse();
        assertThat(unclear.reason())
            .contains("HTTP " + status + " " + code, "set checksums = when_required in [s3]");
      }
    }
    assertThat(tap.requests())
        .as("what was refused, and two small objects beside it")
        .filteredOn(r -> !r.path().endsWith(key))
        .hasSize(2)
        .allMatch(r -> r.path().contains("/prefix/name/_store_test/"));
    try (S3ObjectStore cured = open(Checksums.WHEN_REQUIRED)) {
      assertThat(put(cured, 10)).isInstanceOf(Created.class);
    }
  }

  @Test
  void aStoreThatRefusesConditionsIsNotToldToBeCuredByTheKey() {
    tap.onRequest(r -> isPut(r) ? Fault.answer(501, "NotImplemented") : Fault.none());
    try (S3ObjectStore store = open(Checksums.WHEN_SUPPORTED)) {
      assertThat(((Unclear) put(store, 10)).reason())
          .contains("does not know conditional writes")
          .doesNotContain("checksums =");
    }
  }

  /** As a bucket with Object Lock; not all of them say what they miss. */
  @Test
  void aBucketThatDemandsAChecksumIsAskedOnceWithOne() {
    tap.onRequest(
        r -> isPut(r) && !hasChecksum(r) ? Fault.answer(400, "InvalidRequest") : Fault.none());
    try (S3ObjectStore store = open(Checksums.WHEN_REQUIRED)) {
      Unclear unclear = (Unclear) put(store, 10);
      assertThat(unclear.cause()).isEqualTo(RefusalCause.SETTING);
      assertThat(unclear.reason()).contains("as Object Lock does", "set it to when_supported");
    }
  }

  @Test
  void aProxyThatTakesLessIsToldApartAndTheSizeIsSaid() {
    tap.onRequest(
        r -> isPut(r) ? Fault.document(413, "<html><h1>Too Large</h1></html>") : Fault.none());
    try (S3ObjectStore store = open(Checksums.WHEN_SUPPORTED)) {
      Unclear unclear = (Unclear) put(store, 2_000_000);
      assertThat(unclear.cause()).isEqualTo(RefusalCause.TOO_LARGE);
      assertThat(unclear.remediable()).isFalse();
      assertThat(unclear.reason()).contains("HTTP 413", "2000000 bytes", "raise that limit");
    }
  }

  @Test
  void aProxyThatSwallowsExpectCostsOneWaitAndNoMore() {
    tap.onRequest(request -> Fault.swallowExpect());
    try (S3ObjectStore store = open(Checksums.WHEN_SUPPORTED)) {
      for (int i = 0; i < 3; i++) {
        assertThat(
                store.putIfAbsent(key + i, new byte[3 * ExpectContinueSwitch.FROM_BYTES], Map.of()))
            .isInstanceOf(Created.class);
      }
    }
    assertThat(tap.requests().stream().map(r -> r.header("expect").isPresent()))
        .containsExactly(true, false, false);
  }

  @Test
  void aStoreThatAnswersExpectIsAskedEachTime() {
    try (S3ObjectStore store = open(Checksums.WHEN_SUPPORTED)) {
      for (int i = 0; i < 2; i++) {
        store.putIfAbsent(key + i, new byte[3 * ExpectContinueSwitch.FROM_BYTES], Map.of());
      }
    }
    assertThat(tap.requests()).allMatch(r -> r.header("expect").isPresent());
  }

  private static boolean isPut(HttpTap.Request request) {
    return request.method().equals("PUT");
  }

  private static boolean hasChecksum(HttpTap.Request request) {
    return request.header("x-amz-trailer").isPresent();
  }

  private PutAnswer put(S3ObjectStore store, int bytes) {
    return store.putIfAbsent(key, new byte[bytes], Map.of("writer", "alpha"));
  }

  private S3ObjectStore open(Checksums mode) {
    return TestStores.open(
        TestStores.settings(tap.endpoint(), BUCKET)
            .checksums(mode)
            .attemptTimeout(Duration.ofSeconds(20)));
  }
}
