package dev.recorder.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.s3.ObjectAttributes.Encryption;
import dev.recorder.s3.ObjectAttributes.LockMode;
import dev.recorder.s3.ObjectAttributes.ObjectLock;
import dev.recorder.store.ObjectStore.Unclear;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import dev.recorder.testing.servers.S3Server;
import dev.recorder.time.DatabaseTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** The headers of PUTs, as they go over the wire. */
@Timeout(300)
class ObjectAttributesIT {
  private static final String SLOT = "prefix/orders/00000000000000000001.ndjson.gz";
  private static final String KEY = "arn:aws:kms:eu-central-1:123456789012:key/k";
  private static final Instant AT = Instant.parse("2030-01-01T00:00:00Z");

  private static final ObjectAttributes ALL =
      new ObjectAttributes(
          new Encryption("aws:kms", KEY),
          "STANDARD_IA",
          Map.of("stage", "prod", "cost centre", "a/b"),
          new ObjectLock(LockMode.COMPLIANCE, Duration.ofDays(400)));

  private static S3Server server;

  private final HttpTap tap = HttpTap.to(server.port());
  private final DatabaseTime time = new DatabaseTime(() -> 0);

  @BeforeAll
  static void start() {
    server = S3Server.start();
    server.createBucket("bucket");
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @AfterEach
  void closeTap() {
    tap.close();
  }

  @Test
  void aSlotAsksForAllOfThemAndIsLockedByTheDatabasesTime() {
    tap.onRequest(request -> Fault.answer(503, "SlowDown")); // The tests' server locks nothing.
    time.told(AT);
    try (S3ObjectStore store = open(ALL)) {
      store.putIfAbsent(SLOT, "x".getBytes(UTF_8), Map.of());
    }

    Map<String, String> headers = tap.requests().get(0).headers();
    assertThat(headers)
        .containsEntry("x-amz-server-side-encryption", "aws:kms")
        .containsEntry("x-amz-server-side-encryption-aws-kms-key-id", KEY)
        .containsEntry("x-amz-storage-class", "STANDARD_IA")
        .containsEntry("x-amz-tagging", "cost%20centre=a%2Fb&stage=prod")
        .containsEntry("x-amz-object-lock-mode", "COMPLIANCE")
        .containsEntry("x-amz-object-lock-retain-until-date", "2031-02-05T00:00:00Z")
        .containsEntry("if-none-match", "*")
        .containsEntry("x-amz-trailer", "x-amz-checksum-crc32");
  }

  @Test
  void aReplacedDocumentAsksForAllOfThemToo() {
    tap.onRequest(request -> Fault.answer(503, "SlowDown"));
    time.told(AT);
    try (S3ObjectStore store = open(ALL)) {
      store.putIfMatch("prefix/jobs/a.json", "x".getBytes(UTF_8), Map.of(), "\"e\"");
    }

    assertThat(tap.requests().get(0).headers())
        .containsEntry("if-match", "\"e\"")
        .containsEntry("x-amz-object-lock-mode", "COMPLIANCE")
        .containsEntry("x-amz-server-side-encryption", "aws:kms")
        .containsKey("x-amz-tagging");
  }

  @Test
  void objectsOfTheStoresTestHaveThemTooButAreNotLocked() {
    ObjectAttributes locked =
        new ObjectAttributes(
            new Encryption("AES256", ""), "STANDARD", Map.of("a", "b"), ALL.lock());
    ExecutorService racers = Executors.newCachedThreadPool();
    try (S3ObjectStore store = open(locked)) {
      StoreProbe.run(store, "prefix/orders/", UUID.randomUUID(), racers);
    } finally {
      racers.shutdownNow();
    }

    assertThat(tap.requests())
        .filteredOn(request -> request.method().equals("PUT"))
        .hasSizeGreaterThanOrEqualTo(16)
        .allSatisfy(
            put ->
                assertThat(put.headers())
                    .containsEntry("x-amz-server-side-encryption", "AES256")
                    .containsEntry("x-amz-tagging", "a=b")
                    .doesNotContainKey("x-amz-object-lock-mode"));
  }

  @Test
  void withoutTheDatabasesTimeALockedObjectIsNotSent() {
    try (S3ObjectStore store = open(ALL)) {
      assertThat(store.putIfAbsent(SLOT, "x".getBytes(UTF_8), Map.of()))
          .isEqualTo(
              new Unclear(
                  "PUT of "
                      + SLOT
                      + " in bucket bucket was not sent: object_lock needs the database's time,"
                      + " which is not known yet",
                  true));
    }
    assertThat(tap.requests()).isEmpty();
  }

  @Test
  void noneOfThemMeansNoHeader() {
    try (S3ObjectStore store = open(ObjectAttributes.NONE)) {
      store.putIfAbsent(SLOT, "x".getBytes(UTF_8), Map.of());
    }

    assertThat(tap.requests().get(0).headers().keySet())
        .doesNotContain("x-amz-storage-class", "x-amz-tagging", "x-amz-server-side-encryption")
        .noneMatch(name -> name.startsWith("x-amz-object-lock"));
  }

  @Test
  void aRefusalNamesTheRightsThatTheAttributesNeed() {
    tap.onRequest(request -> Fault.answer(403, "AccessDenied"));
    time.told(AT);
    try (S3ObjectStore store = open(ALL)) {
      Unclear refused = (Unclear) store.putIfAbsent(SLOT, new byte[0], Map.of());
      assertThat(refused.reason())
          .contains("allow s3:PutObject, s3:PutObjectTagging, s3:PutObjectRetention");
    }
  }

  /** Names of hosts are resolved by the JVM; that they are asked for shows in the failure. */
  @Test
  void dualstackAndFipsAreEndpointsOfTheRegion() {
    S3Settings settings =
        S3Settings.of("us-gov-nowhere-1", "bucket")
            .attemptTimeout(Duration.ofSeconds(5))
            .endpoints(new S3Settings.RegionEndpoints(true, true))
            .build();
    try (S3ObjectStore store = S3ObjectStore.open(settings, keys(), time)) {
      Unclear unclear = (Unclear) store.putIfAbsent(SLOT, new byte[0], Map.of());
      assertThat(unclear.reason()).contains("bucket.s3-fips.dualstack.us-gov-nowhere-1.");
    }
  }

  @Test
  void theDatabasesTimeRunsOnWithTheMonotonicClock() {
    long[] nanos = {7};
    DatabaseTime running = new DatabaseTime(() -> nanos[0]);
    assertThat(running.now()).isEmpty();

    running.told(AT);
    nanos[0] += Duration.ofHours(1).toNanos();

    assertThat(running.now()).isEqualTo(Optional.of(AT.plus(Duration.ofHours(1))));
  }

  private S3ObjectStore open(ObjectAttributes attributes) {
    return S3ObjectStore.open(
        S3Settings.of(S3Server.REGION, "bucket")
            .endpoint(tap.endpoint().toString())
            .pathStyle(true)
            .objects(attributes)
            .build(),
        keys(),
        time);
  }

  private static StaticCredentialsProvider keys() {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(S3Server.ACCESS_KEY, S3Server.SECRET_KEY));
  }
}
