package dev.recorder.lock.postgres;

import static dev.recorder.lock.Leases.lossOf;
import static dev.recorder.lock.Leases.take;
import static dev.recorder.testing.Patience.A_MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.network.TestCertificate;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Advisory locks on a session that is encrypted: what is read while it is idle is then a record of
 * TLS, and to end it politely takes an answer.
 */
@Timeout(300)
class AdvisoryTlsIT {
  private static final Duration IDLE_LIMIT = Duration.ofSeconds(5);

  @TempDir private static Path folder;
  private static TestCertificate certificate;
  private static PostgresServer server;
  private static TestDatabase database;

  @BeforeAll
  static void start() throws Exception {
    certificate = TestCertificate.create(folder, "postgres", "ip:127.0.0.1");
    server =
        PostgresServer.builder()
            .set("ssl", "on")
            .set("ssl_cert_file", certificate.certificate().toString())
            .set("ssl_key_file", certificate.key().toString())
            .start();
    database = TestDatabase.createOn(server, TestDatabase.ROLE);
    LockSites.create(database);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  /** It is no server that cannot be reached, which is waited for. */
  @Test
  void aServerThatIsNotTheOneWhoseCertificateIsExpectedIsNamedAsConfiguration() throws Exception {
    TestCertificate other = TestCertificate.create(folder, "other", "ip:127.0.0.1");
    assertMisconfigured(
        verifying("127.0.0.1", other.certificate()), "a certificate that sslrootcert vouches for");
    assertMisconfigured(
        verifying("localhost", certificate.certificate()), "demands a certificate for localhost");
    assertMisconfigured(verifying("127.0.0.1", Path.of("/no/such/file")), "needs sslrootcert");
  }

  private static DatabaseSettings verifying(String host, Path authority) {
    return DatabaseSettings.of(host, database.name(), TestDatabase.ROLE)
        .port(server.port())
        .password(TestDatabase.PASSWORD)
        .sslmode("verify-full")
        .sslrootcert(authority.toString())
        .build();
  }

  private static void assertMisconfigured(DatabaseSettings settings, String said) {
    assertThatThrownBy(() -> new Sessions(settings, "one").openControl())
        .isInstanceOfSatisfying(
            DatabaseException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(DatabaseException.DatabaseErrorKind.UNUSABLE);
              assertThat(e.getMessage()).contains(said);
            });
  }

  private static AdvisoryLocks locks(String worker) {
    return locks(worker, TestSettings.NETWORK_TIMEOUT);
  }

  private static AdvisoryLocks locks(String worker, Duration networkTimeout) {
    DatabaseSettings settings =
        DatabaseSettings.of("127.0.0.1", database.name(), TestDatabase.ROLE)
            .port(server.port())
            .password(TestDatabase.PASSWORD)
            .sslmode("verify-full")
            .sslrootcert(certificate.certificate().toString())
            .networkTimeout(networkTimeout)
            .idleLimit(IDLE_LIMIT)
            .build();
    return new AdvisoryLocks(new Sessions(settings, worker), Instruments.PLAIN);
  }

  private static long pid(String worker) throws Exception {
    return LockSites.number(
        database,
        "SELECT pid FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE ssl"
            + " AND application_name = 'recorder/"
            + worker
            + "/lock'");
  }

  private static void signal(String signal, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor()).isZero();
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Test
  void aLeaseIsHeldWhileNothingHappens() throws Exception {
    try (AdvisoryLocks locks = locks("quiet");
        AdvisoryLocks others = locks("other")) {
      Lease lease = take(locks.lock("quiet"));
      assertThat(pid("quiet")).isPositive();
      Thread.sleep(IDLE_LIMIT.plusSeconds(1).toMillis());
      assertThat(lease.state()).isEqualTo(LeaseState.HELD);
      assertThat(others.lock("quiet").tryAcquire()).isEmpty();
      lease.close();
      assertThat(others.lock("quiet").tryAcquire()).isPresent();
    }
  }

  @Test
  void theEndOfASessionIsReadWhenItComesAndEndsAllItsLeases() throws Exception {
    EndedSessions.measure(database, AdvisoryTlsIT::locks).assertToldWhenItHappens("with TLS");
  }

  @Test
  void aFrozenServersSessionIsLostSoonAfterTheTimeoutAndClosingWaitsForNobody() throws Exception {
    try (AdvisoryLocks locks = locks("frozen")) {
      Lease lease = take(locks.lock("frozen"));
      long pid = pid("frozen");
      Thread.sleep(300);
      signal("-STOP", pid);
      try {
        long start = System.nanoTime();
        Loss loss = lossOf(lease);
        System.out.println("figure: advisory with TLS, frozen, told after " + since(start));
        assertThat(loss.cause()).isEqualTo(Cause.PROBE_TIMED_OUT);
        start = System.nanoTime();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        locks.close();
        System.out.println("figure: advisory with TLS, frozen and lost, closed in " + since(start));
        assertThat(since(start)).isLessThan(A_MINUTE);
      } finally {
        signal("-CONT", pid);
      }
    }
    try (AdvisoryLocks others = locks("other")) {
      assertThat(others.lock("frozen").tryAcquire(A_MINUTE)).isPresent();
    }
  }

  @Test
  void neitherHoldersNorWhoClosesWaitForAFrozenServer() throws Exception {
    AdvisoryLocks locks = locks("hurried", Duration.ofHours(1)); // Whoever waited would hang.
    Lease lease = take(locks.lock("hurried"));
    long pid = pid("hurried");
    signal("-STOP", pid);
    try {
      long start = System.nanoTime();
      CompletableFuture<Void> closing = CompletableFuture.runAsync(locks::close);
      assertThat(lease.lost()).succeedsWithin(A_MINUTE);
      assertThat(closing).succeedsWithin(A_MINUTE);
      System.out.println("figure: advisory with TLS, frozen and held, closed in " + since(start));
    } finally {
      signal("-CONT", pid);
    }
  }
}
