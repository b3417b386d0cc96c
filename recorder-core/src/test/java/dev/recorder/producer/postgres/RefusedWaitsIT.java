package dev.recorder.producer.postgres;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.postgres.TestSessions;
import dev.recorder.producer.WaitException;
import dev.recorder.producer.WaitException.Reason;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waits of an application that do not end with a recorded transaction. */
class RefusedWaitsIT {
  private ProducedLog log;
  private RecordedWaits waits;

  @BeforeEach
  void create() throws Exception {
    log = new ProducedLog();
    waits = new RecordedWaits(log.sessions());
  }

  @AfterEach
  void close() throws Exception {
    waits.close();
    log.close();
  }

  @Test
  void aLimitThatIsUpIsNoErrorWhileAMachineIsAtWork() throws Exception {
    HeldBack first = new HeldBack(log.bucket, ProducedLog.LAYOUT.slotKey(1));
    log.start("host-a", first.store());
    log.awaitHolder("host-a");
    long xid = log.commit(1);

    assertThat(waits.await("orders", xid, Duration.ZERO)).isFalse();
    assertThat(waits.await("orders", xid, Duration.ofMillis(50))).isFalse();
    first.release();
  }

  @Test
  void whoWaitsForWhatNobodyRunsIsToldSoWhenTimeIsUp() throws Exception {
    log.database.execute(
        "INSERT INTO recorder.lock_recorders (lock_id, recorder, layout)"
            + " VALUES (1, 'orders', '{}')");

    assertRefused(log.commit(1), Reason.NOBODY_RUNS);
  }

  @Test
  void whatMakesNoSenseIsRefusedWithItsReason() throws Exception {
    assertRefused(log.commit(1), Reason.NO_SUCH_LOG);
    assertRefused(9_000_000_000L, Reason.UNKNOWN_TRANSACTION);
    log.start();
    try (Connection connection = log.connect()) {
      connection.setAutoCommit(false);
      long xid = new LogClient("handoff", "orders").append(connection, null, "{}");
      assertRefused(xid, Reason.OPEN);
      connection.rollback();
      assertRefused(xid, Reason.ROLLED_BACK);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> waits.await("orders", 3, Duration.ofMillis(-1)));
    assertThatIllegalArgumentException().isThrownBy(() -> waits.await("Orders", 3, Duration.ZERO));
  }

  private void assertRefused(long xid, Reason reason) {
    assertThatThrownBy(() -> waits.await("orders", xid, Duration.ofMillis(50)))
        .extracting(RefusedWaitsIT::reason)
        .isEqualTo(reason);
  }

  @Test
  void aDatabaseWithoutTheFunctionOrTheSchemaIsRefused() throws Exception {
    long xid = log.commit(1);
    log.database.execute("DROP FUNCTION recorder.wait_recorded");
    assertThatThrownBy(() -> waits.await("orders", xid, A_MINUTE))
        .hasMessageContaining("recorder schema")
        .extracting(RefusedWaitsIT::reason)
        .isEqualTo(Reason.REFUSED);

    log.database.execute("DROP SCHEMA recorder CASCADE");
    assertThatThrownBy(() -> waits.await("orders", xid, A_MINUTE))
        .extracting(RefusedWaitsIT::reason)
        .isEqualTo(Reason.REFUSED);
  }

  @Test
  void whoWaitsIsToldWhenTheWaitsAreClosed() throws Exception {
    HeldBack first = new HeldBack(log.bucket, ProducedLog.LAYOUT.slotKey(1));
    log.start("host-a", first.store());
    log.awaitHolder("host-a");
    long xid = log.commit(1);
    CompletableFuture<Boolean> waited = ProducedLog.waitAside(waits, xid);
    await().until(() -> log.database.number(ProducedLog.WAITERS) == 1);

    waits.close();

    assertThatThrownBy(() -> waited.get(1, TimeUnit.MINUTES))
        .isInstanceOf(ExecutionException.class)
        .extracting(e -> reason(e.getCause()))
        .isEqualTo(Reason.CLOSED);
    assertThatThrownBy(() -> waits.await("orders", xid, A_MINUTE))
        .extracting(RefusedWaitsIT::reason)
        .isEqualTo(Reason.CLOSED);
    await().until(() -> log.database.number(ProducedLog.SESSIONS) == 0);
    first.release();
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsNamedWhenTimeIsUp() throws Exception {
    try (TcpProxy proxy = TcpProxy.to(log.database.server().port());
        RecordedWaits cut =
            new RecordedWaits(TestSessions.of(log.database, "waits", proxy.port()))) {
      log.start();
      assertThat(cut.await("orders", log.commit(1), A_MINUTE)).isTrue();
      long xid = log.commit(1);
      proxy.pause();

      assertThatThrownBy(() -> cut.await("orders", xid, Duration.ofMillis(300)))
          .extracting(RefusedWaitsIT::reason)
          .isEqualTo(Reason.NO_ANSWER);

      proxy.resume();
      assertThat(cut.await("orders", xid, A_MINUTE)).isTrue();
    }
  }

  @Test
  void anotherServerBehindTheSameNameIsAskedAnew() throws Exception {
    try (PostgresServer another = PostgresServer.start();
        TcpProxy proxy = TcpProxy.to(log.database.server().port());
        RecordedWaits moved =
            new RecordedWaits(TestSessions.of(log.database, "waits", proxy.port()))) {
      TestDatabase there = log.database.createAgainOn(another, PostgresServer.SUPERUSER);
      there.execute(ProducedLog.script());
      log.database.server().advanceTo(another.nextXid() + 1_000);
      HeldBack first = new HeldBack(log.bucket, ProducedLog.LAYOUT.slotKey(1));
      log.start("host-a", first.store());
      log.awaitHolder("host-a");
      CompletableFuture<Boolean> waited = ProducedLog.waitAside(moved, log.commit(1));
      await().until(() -> log.database.number(ProducedLog.WAITERS) == 1);

      proxy.redirect(another.port());
      proxy.reset();

      assertThatThrownBy(() -> waited.get(1, TimeUnit.MINUTES))
          .extracting(e -> reason(e.getCause()))
          .isEqualTo(Reason.UNKNOWN_TRANSACTION);
      first.release();
    }
  }

  private static Reason reason(Throwable e) {
    return ((WaitException) e).reason();
  }
}
