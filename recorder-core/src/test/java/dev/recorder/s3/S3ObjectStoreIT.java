package dev.recorder.s3;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.ObjectStore.AlreadyThere;
import dev.recorder.store.ObjectStore.Changed;
import dev.recorder.store.ObjectStore.Created;
import dev.recorder.store.ObjectStore.Fetched;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.store.ObjectStore.Unclear;
import dev.recorder.testing.DocumentStoreContract;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.S3Server;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;

/** The adapter against a real server, and against one whose answers are lost, late or wrong. */
@Timeout(300)
class S3ObjectStoreIT extends DocumentStoreContract {
  private static final String BUCKET = "bucket";
  private static final Duration PATIENT = Duration.ofSeconds(20);
  private static final Duration BRIEF = Duration.ofMillis(500);

  /** What a call may take longer where other work waits for the same cores. */
  private static final Duration BUSY_HOST = Duration.ofSeconds(30);

  private static S3Server server;
  private static S3ObjectStore store;
  private static S3ObjectStore storeWithoutBucket;

  private final String key = "prefix/name/" + UUID.randomUUID();
  private final HttpTap tap = HttpTap.to(server.port());
  private final S3ObjectStore tapped = open(tap.endpoint(), BUCKET, PATIENT);
  private final S3ObjectStore brief = open(tap.endpoint(), BUCKET, BRIEF);

  @BeforeAll
  static void start() {
    server = S3Server.start();
    server.createBucket(BUCKET);
    store = open(server.endpoint(), BUCKET, PATIENT);
    storeWithoutBucket = open(server.endpoint(), "no-such-bucket", PATIENT);
  }

  @AfterAll
  static void stop() throws Exception {
    store.close();
    storeWithoutBucket.close();
    server.close();
  }

  @AfterEach
  void closeTap() {
    tapped.close();
    brief.close();
    tap.close();
  }

  @Override
  protected DocumentStore store() {
    return store;
  }

  @Override
  protected DocumentStore storeWithoutBucket() {
    return storeWithoutBucket;
  }

  @ParameterizedTest
  @CsvSource({
    "500, InternalError, true, ''",
    "503, SlowDown, true, ''",
    "409, ConditionalRequestConflict, true, ''",
    "400, RequestTimeout, true, ''",
    "400, InvalidRequest, false, ''",
    "403, AccessDenied, false, allow s3:PutObject",
    "403, InvalidAccessKeyId, false, check the AWS credentials",
    "403, RequestTimeTooSkewed, false, set this host's clock",
    "404, NoSuchBucket, false, create the bucket",
    "301, PermanentRedirect, false, correct region or endpoint",
    "501, NotImplemented, false, does not know conditional writes",
  })
  void aRefusedPutIsSentOnceAndTheReasonNamesTheRemedy(
      int status, String code, boolean remediable, String remedy) {
    tap.onRequest(request -> Fault.answer(status, code));

    Unclear unclear = unclear(put(tapped));

    assertThat(unclear.remediable()).isEqualTo(remediable);
    assertThat(unclear.reason())
        .contains("PUT", key, BUCKET, Integer.toString(status), code, remedy)
        .doesNotContain(S3Server.SECRET_KEY);
    assertThat(tap.requests()).filteredOn(request -> request.path().endsWith(key)).hasSize(1);
    assertThat(server.objects(BUCKET, key)).isEmpty();
  }

  @Test
  void refusedReadsNameTheMissingRights() {
    tap.onRequest(request -> Fault.answer(403, "AccessDenied"));

    for (ObjectStore.Unclear unclear :
        List.of(unclear(tapped.head(key)), unclear(tapped.get(key)))) {
      assertThat(unclear.remediable()).isFalse();
      assertThat(unclear.reason()).contains(key, BUCKET, "403", "s3:GetObject", "s3:ListBucket");
    }
  }

  @Test
  void aForbiddenHeadNamesGetObjectAloneWhereTheBucketMayBeListed() {
    tap.onRequest(
        request ->
            request.path().equals("/" + BUCKET) ? Fault.none() : Fault.answer(403, "AccessDenied"));

    Unclear unclear = unclear(tapped.head(key));

    assertThat(unclear.rights()).isTrue();
    assertThat(unclear.reason()).endsWith("allow s3:GetObject").doesNotContain("ListBucket");
  }

  @Test
  void rulesThatLetObjectsExpireAreFound() {
    tap.onRequest(
        request ->
            Fault.document(
                200,
                """
                <LifecycleConfiguration>
                  <Rule><ID>old</ID><Filter><Prefix>prefix/</Prefix></Filter>
                    <Status>Enabled</Status><Expiration><Days>30</Days></Expiration></Rule>
                  <Rule><ID>other</ID><Filter><Prefix>other/</Prefix></Filter>
                    <Status>Enabled</Status><Expiration><Days>30</Days></Expiration></Rule>
                </LifecycleConfiguration>\
                """));

    assertThat(tapped.expiringRules("prefix/name/")).containsExactly("old");
    assertThat(tap.requests().get(0).target()).contains("lifecycle");
  }

  @ParameterizedTest
  @CsvSource({
    "403, AccessDenied",
    "404, NoSuchLifecycleConfiguration",
    "501, NotImplemented",
    "500, Oops"
  })
  void aStoreThatDoesNotTellItsRulesHasNone(int status, String code) {
    tap.onRequest(request -> Fault.answer(status, code));

    assertThat(tapped.expiringRules("prefix/name/")).isEmpty();
    assertThat(store.expiringRules("prefix/name/")).isEmpty();
  }

  @Test
  void withoutListBucketAnAbsentObjectIsNotTakenForAbsent() {
    tap.onRequest(
        request ->
            request.path().equals("/" + BUCKET) ? Fault.answer(403, "AccessDenied") : Fault.none());

    Unclear unclear = unclear(tapped.head(key));

    assertThat(unclear.remediable()).isFalse();
    assertThat(unclear.reason()).contains("s3:ListBucket");
  }

  @Test
  void readsAreRepeatedPutsAreNot() {
    put(tapped);
    tap.onNext(1, request -> request.method().equals("HEAD"), Fault.answer(503, "SlowDown"));
    assertThat(tapped.head(key)).isInstanceOf(ObjectStore.Present.class);
    tap.onNext(1, request -> request.method().equals("GET"), Fault.dropAnswer());
    assertThat(tapped.get(key)).isInstanceOf(ObjectStore.Body.class);

    assertThat(tap.requests())
        .extracting(HttpTap.Request::method)
        .containsExactly("PUT", "HEAD", "HEAD", "GET", "GET");
  }

  @Test
  void aPutWhoseAnswerIsLostIsUnclearAndItsObjectThere() {
    tap.onNext(1, request -> request.method().equals("PUT"), Fault.dropAnswer());

    assertThat(unclear(put(tapped)).remediable()).isTrue();

    assertThat(tapped.head(key)).isEqualTo(new ObjectStore.Present(Map.of("writer", "alpha")));
    assertThat(tap.requests()).extracting(HttpTap.Request::method).containsExactly("PUT", "HEAD");
  }

  @Test
  void aPutThatTheNetworkRepeatsMeetsItself() {
    tap.onNext(1, request -> request.method().equals("PUT"), Fault.repeat());

    assertThat(put(tapped)).isInstanceOf(AlreadyThere.class);

    assertThat(tapped.head(key)).isEqualTo(new ObjectStore.Present(Map.of("writer", "alpha")));
  }

  @Test
  void aPutThatWasGivenUpMayStillArrive() throws Exception {
    tap.onNext(1, request -> request.method().equals("PUT"), Fault.hold());
    CompletableFuture<PutAnswer> answer = CompletableFuture.supplyAsync(() -> put(tapped));
    await().until(() -> tap.holding() == 1);
    tapped.close();
    assertThat(unclear(answer.get()).remediable()).isTrue();
    assertThat(store.head(key)).isInstanceOf(ObjectStore.Absent.class);

    tap.release();

    await()
        .untilAsserted(() -> assertThat(store.head(key)).isInstanceOf(ObjectStore.Present.class));
  }

  @Test
  void everyCallToAHangingServerEndsWithinTheAttemptTimeout() {
    tap.onRequest(request -> Fault.hold());

    assertEndsInTime(() -> put(brief));
    assertEndsInTime(() -> brief.head(key));
    assertEndsInTime(() -> brief.get(key));
  }

  @Test
  void everyCallToAnUnreachableServerEndsWithinTheAttemptTimeout() {
    try (TcpProxy proxy = TcpProxy.to(server.port());
        S3ObjectStore cut = open(S3Server.endpoint(proxy.port()), BUCKET, BRIEF)) {
      proxy.refuseNew();
      assertEndsInTime(() -> put(cut));
      assertEndsInTime(() -> cut.head(key));

      proxy.cut();
      assertEndsInTime(() -> put(cut));
      assertEndsInTime(() -> cut.get(key));

      proxy.heal();
      proxy.reset();
      await().until(() -> !(put(cut) instanceof Unclear));
    }
  }

  @Test
  void anInterruptedCallerGetsAnAnswerAndKeepsItsFlag() {
    Thread.currentThread().interrupt();

    PutAnswer answer = put(tapped);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(unclear(answer).remediable()).isTrue();
  }

  @Test
  void aCallerInterruptedWhileItWaitsKeepsItsFlagToo() throws Exception {
    tap.onRequest(request -> Fault.hold());
    boolean[] flag = new boolean[1];
    ObjectStore.HeadAnswer[] answer = new ObjectStore.HeadAnswer[1];
    Thread caller =
        new Thread(
            () -> {
              answer[0] = tapped.head(key);
              flag[0] = Thread.currentThread().isInterrupted();
            });
    caller.start();
    await().until(() -> tap.holding() == 1);

    caller.interrupt();
    tapped.close();
    caller.join();

    assertThat(answer[0]).isInstanceOf(Unclear.class);
    assertThat(flag[0]).isTrue();
  }

  @Test
  void aClosedStoreAnswersToo() {
    tapped.close();

    assertThat(put(tapped)).isInstanceOf(Unclear.class);
    assertThat(tapped.head(key)).isInstanceOf(Unclear.class);
    assertThat(tapped.get(key)).isInstanceOf(Unclear.class);
  }

  @Test
  void wrongCredentialsAreNamedWithoutShowingThem() {
    try (S3ObjectStore wrong =
        S3ObjectStore.open(usual().build(), TestStores.credentials("wrong-secret"))) {
      Unclear unclear = unclear(put(wrong));

      assertThat(unclear.remediable()).isFalse();
      assertThat(unclear.reason())
          .contains("SignatureDoesNotMatch", "check the AWS credentials")
          .doesNotContain("wrong-secret", S3Server.ACCESS_KEY);
    }
  }

  @Test
  void missingCredentialsAreNamedToo() {
    AwsCredentialsProvider none =
        AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create());
    try (S3ObjectStore poor = S3ObjectStore.open(usual().build(), none)) {
      assertThat(unclear(put(poor)).reason()).contains("no AWS credentials found");
    }
  }

  @Test
  void theDefaultChainFindsCredentials() {
    S3Server.knowInThisProcess();
    try (S3ObjectStore found = S3ObjectStore.open(usual().build())) {
      assertThat(put(found)).isInstanceOf(Created.class);
    } finally {
      System.clearProperty("aws.accessKeyId");
      System.clearProperty("aws.secretAccessKey");
    }
  }

  @Test
  void sendsTrailingChecksumsOnlyIfTold() {
    S3Settings.Builder required =
        TestStores.settings(tap.endpoint(), BUCKET).checksums(Checksums.WHEN_REQUIRED);
    try (S3ObjectStore plain = TestStores.open(required)) {
      assertThat(put(plain)).isInstanceOf(Created.class);
      assertThat(put(tapped)).isInstanceOf(AlreadyThere.class);
    }

    assertThat(tap.requests().get(0).headers()).doesNotContainKey("x-amz-trailer");
    assertThat(tap.requests().get(1).headers()).containsKey("x-amz-trailer");
  }

  @Test
  void passesTheTestOfStores() {
    assertThat(new StoreProbes().verdict(store, "prefix/name/", new KeptViolations())).isEmpty();
  }

  @Test
  void passesTheTestOfStoresForDocuments() {
    assertThat(new StoreProbes().verdictForDocuments(store, "prefix/name/", new KeptViolations()))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "404, NoSuchKey, CHANGED",
    "412, PreconditionFailed, CHANGED",
    "404, NoSuchBucket, OPERATOR",
    "403, AccessDenied, OPERATOR",
    "409, ConditionalRequestConflict, PASSING",
    "503, SlowDown, PASSING",
  })
  void aReplacementThatIsRefusedIsSentOnceAndSaysWhatThatMeans(
      int status, String code, String meaning) {
    tap.onRequest(request -> Fault.answer(status, code));

    PutAnswer answer = replace(tapped, "\"0\"");

    if (meaning.equals("CHANGED")) {
      assertThat(answer).isInstanceOf(Changed.class);
    } else {
      assertThat(unclear(answer).remediable()).isEqualTo(meaning.equals("PASSING"));
      assertThat(unclear(answer).reason()).contains("PUT", key, BUCKET, code);
    }
    assertThat(tap.requests()).hasSize(1);
    assertThat(tap.requests().get(0).headers()).containsEntry("if-match", "\"0\"");
  }

  @Test
  void aReplacementWhoseAnswerIsLostIsUnclearAndSentOnce() {
    put(tapped);
    String etag = ((Fetched) tapped.fetch(key)).etag();
    tap.onNext(1, request -> request.method().equals("PUT"), Fault.dropAnswer());

    assertThat(unclear(replace(tapped, etag)).remediable()).isTrue();

    assertThat(((Fetched) tapped.fetch(key)).metadata()).isEqualTo(Map.of("writer", "beta"));
    assertThat(tap.requests())
        .extracting(HttpTap.Request::method)
        .containsExactly("PUT", "GET", "PUT", "GET");
  }

  @Test
  void aKeyThatEndsInJsonIsSentAsJson() {
    put(tapped);
    tapped.putIfAbsent(key + ".json", new byte[] {'1'}, Map.of());

    assertThat(tap.requests())
        .extracting(request -> request.headers().get("content-type"))
        .containsExactly("application/octet-stream", "application/json");
  }

  private PutAnswer replace(DocumentStore to, String etag) {
    return to.putIfMatch(key, new byte[] {4, 5, 6}, Map.of("writer", "beta"), etag);
  }

  private PutAnswer put(ObjectStore to) {
    return to.putIfAbsent(key, new byte[] {1, 2, 3}, Map.of("writer", "alpha"));
  }

  private static void assertEndsInTime(Supplier<Object> call) {
    long start = System.nanoTime();
    assertThat(unclear(call.get()).remediable()).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(BRIEF.plus(BUSY_HOST));
  }

  private static Unclear unclear(Object answer) {
    assertThat(answer).isInstanceOf(Unclear.class);
    return (Unclear) answer;
  }

  private static S3ObjectStore open(URI endpoint, String bucket, Duration limit) {
    return TestStores.open(TestStores.settings(endpoint, bucket).attemptTimeout(limit));
  }

  private static S3Settings.Builder usual() {
    return TestStores.settings(server.endpoint(), BUCKET).attemptTimeout(PATIENT);
  }
}
