package dev.recorder.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.ObjectStore.Created;
import dev.recorder.store.ObjectStore.Fetched;
import dev.recorder.store.ObjectStore.RefusalCause;
import dev.recorder.store.ObjectStore.Unclear;
import dev.recorder.store.StoreGuarantee;
import dev.recorder.testing.ObjectStoreContract;
import dev.recorder.testing.servers.RadosGateway;
import dev.recorder.time.NamedThreadFactory;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract once more on Ceph's gateway; skipped where its programs are not installed. */
@Timeout(300)
class RadosGatewayObjectStoreIT extends ObjectStoreContract {
  private static RadosGateway server;
  private static S3ObjectStore store;
  private static S3ObjectStore storeWithoutBucket;

  @BeforeAll
  static void start() {
    assumeTrue(RadosGateway.missing().isEmpty(), RadosGateway.missing());
    server = RadosGateway.start();
    server.createBucket("bucket");
    store = open("bucket", Checksums.WHEN_REQUIRED);
    storeWithoutBucket = open("no-such-bucket", Checksums.WHEN_REQUIRED);
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      store.close();
      storeWithoutBucket.close();
      List<Long> pids = server.pids();
      server.close();
      assertThat(pids).hasSize(3).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
    }
  }

  @Override
  protected ObjectStore store() {
    return store;
  }

  @Override
  protected ObjectStore storeWithoutBucket() {
    return storeWithoutBucket;
  }

  /** Ceph 16 answers that the hash of an empty body is not the one that was signed. */
  @Override
  protected int smallestBody() {
    return 1;
  }

  @Test
  void passesTheTestOfStores() {
    assertThat(new StoreProbes().verdict(store, "prefix/name/", new KeptViolations())).isEmpty();
  }

  /**
   * Ceph 16 compares the ETag that it has with the one that is named, quotes and all, and so finds
   * no version to be the one that is there.
   */
  @Test
  void isTakenForDocumentsOnlyIfItReplacesTheVersionThatIsThere() {
    ExecutorService threads =
        Executors.newFixedThreadPool(ConcurrentWriters.RACERS, new NamedThreadFactory("racer"));
    try {
      store.putIfAbsent("replaced", new byte[] {1}, Map.of());
      String etag = ((Fetched) store.fetch("replaced")).etag();
      boolean replaces =
          store.putIfMatch("replaced", new byte[] {2}, Map.of(), etag) instanceof Created;

      StoreProbe.Result result =
          StoreProbe.runForDocuments(store, "prefix/name/", UUID.randomUUID(), threads);

      assertThat(result instanceof StoreProbe.Passed).isEqualTo(replaces);
      if (result instanceof StoreProbe.Broken broken) {
        assertThat(broken.promise()).isEqualTo(StoreGuarantee.REPLACEMENT);
        assertThat(broken.why()).contains("none of 16 writers");
        assertThat(store.putIfMatch("replaced", new byte[] {2}, Map.of(), etag.replace("\"", "")))
            .as("the cause")
            .isInstanceOf(Created.class);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void namesTheKeyThatTurnsOffTheChecksumsThatItRefuses() {
    try (S3ObjectStore usual = open("bucket", Checksums.WHEN_SUPPORTED)) {
      assertThat(usual.putIfAbsent("key", new byte[] {1}, Map.of()))
          .isInstanceOfSatisfying(
              Unclear.class,
              unclear -> {
                assertThat(unclear.cause()).isEqualTo(RefusalCause.SETTING);
                assertThat(unclear.reason()).endsWith("set checksums = when_required in [s3]");
              });
    }
  }

  private static S3ObjectStore open(String bucket, Checksums checksums) {
    return TestStores.open(TestStores.settings(server.endpoint(), bucket).checksums(checksums));
  }
}
