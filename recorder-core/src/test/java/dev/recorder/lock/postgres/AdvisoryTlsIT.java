package dev.recorder.lock.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.TestCertificate;
import dev.recorder.testing.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Advisory locks on a session that is encrypted: what is read while it is idle is then a record of
 * TLS, and to end it politely takes an answer.
 */
@Timeout(60)
class AdvisoryTlsIT {
  private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(1);

  /** A look begins every 250 ms; a busy host takes its time. */
  private static final Duration LOOK_AND_TIMEOUT = Duration.ofMillis(1_250);

  private static final Duration ALLOWED = LOOK_AND_TIMEOUT.multipliedBy(3);

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

  private static AdvisoryLocks locks(String worker) {
    return locks(worker, NETWORK_TIMEOUT);
  }

  private static AdvisoryLocks locks(String worker, Duration networkTimeout) {
    DatabaseSettings settings =
        new DatabaseSettings(
            "127.0.0.1",
            server.port(),
            database.name(),
            TestDatabase.ROLE,
            TestDatabase.PASSWORD,
            "verify-full",
            certificate.certificate().toString(),
            SchemaNames.DEFAULT,
            networkTimeout,
            Duration.ofSeconds(3));
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
      Lease lease = locks.lock("quiet").tryAcquire().orElseThrow();
      assertThat(pid("quiet")).isPositive();
      Thread.sleep(4_000);
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
      Lease lease = locks.lock("frozen").tryAcquire().orElseThrow();
      long pid = pid("frozen");
      Thread.sleep(300);
      signal("-STOP", pid);
      try {
        long start = System.nanoTime();
        Loss loss =
            lease.lost().toCompletableFuture().get(ALLOWED.toMillis(), TimeUnit.MILLISECONDS);
        System.out.println("figure: advisory with TLS, frozen, told after " + since(start));
        assertThat(loss.cause()).isEqualTo(Cause.PROBE_TIMED_OUT);
        start = System.nanoTime();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        locks.close();
        System.out.println("figure: advisory with TLS, frozen and lost, closed in " + since(start));
        assertThat(since(start)).isLessThan(ALLOWED);
      } finally {
        signal("-CONT", pid);
      }
    }
    try (AdvisoryLocks others = locks("other")) {
      assertThat(others.lock("frozen").tryAcquire(Duration.ofSeconds(20))).isPresent();
    }
  }

  @Test
  void holdersAreToldBeforeTheSessionIsEndedWhichAFrozenServerHoldsUp() throws Exception {
    Duration networkTimeout = Duration.ofSeconds(4);
    AdvisoryLocks locks = locks("hurried", networkTimeout);
    Lease lease = locks.lock("hurried").tryAcquire().orElseThrow();
    long pid = pid("hurried");
    signal("-STOP", pid);
    try {
      CompletableFuture<Long> toldAt =
          lease.lost().thenApply(loss -> System.nanoTime()).toCompletableFuture();
      long start = System.nanoTime();
      locks.close();
      System.out.println("figure: advisory with TLS, frozen and held, closed in " + since(start));
      assertThat(since(start)).isLessThan(networkTimeout.plusSeconds(3));
      assertThat(Duration.ofNanos(toldAt.get(1, TimeUnit.SECONDS) - start))
          .isLessThan(networkTimeout.dividedBy(2));
    } finally {
      signal("-CONT", pid);
    }
  }
}
