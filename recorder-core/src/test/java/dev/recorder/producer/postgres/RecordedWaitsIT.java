package dev.recorder.producer.postgres;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** Threads of an application that wait on one connection. */
class RecordedWaitsIT {
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
  void whoIsToldFindsTheRowsInObjects() throws Exception {
    log.start();
    for (int i = 0; i < 20; i++) {
      long xid = log.commit(2);

      assertThat(waits.await("orders", xid, A_MINUTE)).isTrue();
      assertThat(log.recorded(xid)).isEqualTo(2);
    }
  }

  @Test
  void fiftyThreadsShareOneConnection() throws Exception {
    log.start();
    ExecutorService threads = Executors.newFixedThreadPool(50);
    try {
      List<CompletableFuture<Void>> done = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        done.add(CompletableFuture.runAsync(this::handOverAndWait, threads));
      }
      CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).join();
    } finally {
      threads.shutdownNow();
    }
    assertThat(log.database.number(ProducedLog.SESSIONS)).isEqualTo(1);
    assertThat(log.lines()).hasSize(500);
  }

  private void handOverAndWait() {
    try (Connection connection = log.connect()) {
      for (int i = 0; i < 10; i++) {
        long xid = ProducedLog.commit(connection, 1);
        assertThat(waits.await("orders", xid, A_MINUTE)).isTrue();
        assertThat(log.recorded(xid)).isEqualTo(1);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theSettleTellsThoseWhoWaitAndNobodyElse() throws Exception {
    HeldBack fourth = new HeldBack(log.bucket, ProducedLog.LAYOUT.slotKey(4));
    log.start("host-a", fourth.store());
    try (Connection bystander = log.connect();
        Statement listening = bystander.createStatement()) {
      listening.execute("LISTEN recorded_orders");
      log.commit(9);
      await().until(() -> log.lines().size() == 9);
      long last = log.commit(1);
      fourth.awaitReached();
      PGConnection notified = bystander.unwrap(PGConnection.class);
      assertThat(notified.getNotifications(100)).as("told while nobody waits").isNullOrEmpty();

      CompletableFuture<Boolean> waited = ProducedLog.waitAside(waits, last);
      await().until(() -> log.database.number(ProducedLog.WAITERS) == 1);
      fourth.release();

      assertThat(waited.get(1, TimeUnit.MINUTES)).isTrue();
      assertThat(notified.getNotifications(60_000)).as("told while somebody waits").isNotEmpty();
      // Nobody waits any more.
      await().until(() -> log.database.number(ProducedLog.WAITERS) == 0);
    }
  }

  @Test
  void aConnectionThatIsEndedIsOpenedAgainAndNobodyNotices() throws Exception {
    HeldBack first = new HeldBack(log.bucket, ProducedLog.LAYOUT.slotKey(1));
    log.start("host-a", first.store());
    log.awaitHolder("host-a");
    long xid = log.commit(1);
    CompletableFuture<Boolean> waited = ProducedLog.waitAside(waits, xid);
    await().until(() -> log.database.number(ProducedLog.WAITERS) == 1);

    endTheSession();
    await().until(() -> log.database.number(ProducedLog.WAITERS) == 1);
    first.release();

    assertThat(waited.get(1, TimeUnit.MINUTES)).isTrue();
    // And once more while nobody waits.
    endTheSession();
    assertThat(waits.await("orders", log.commit(1), A_MINUTE)).isTrue();
  }

  private void endTheSession() throws Exception {
    log.database.execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            + " WHERE application_name = 'recorder/waits/listen' AND datname = current_database()");
  }

  /** From 17 on the queue can be made small enough to fill; before, it has 8 GB. */
  @Test
  void aSessionThatFillsTheQueueOfNotificationsHoldsUpNoSlotAndNobodyWhoWaits() throws Exception {
    assumeTrue(PostgresServer.shared().majorVersion() >= 17);
    try (PostgresServer small =
            PostgresServer.builder().set("max_notify_queue_pages", "64").start();
        ProducedLog other = new ProducedLog(small);
        Connection stuck = other.connect();
        Connection filling = other.connect();
        RecordedWaits waiting = new RecordedWaits(other.sessions())) {
      other.start();
      run(stuck, "LISTEN anything");
      stuck.setAutoCommit(false);
      run(stuck, "SELECT");
      assertThatThrownBy(
              () -> {
                while (true) {
                  run(filling, "SELECT pg_notify('anything', repeat('x', 7000))");
                }
              })
          .hasMessageContaining("too many notifications");

      for (int i = 0; i < 3; i++) {
        assertThat(waiting.await("orders", other.commit(1), A_MINUTE)).isTrue();
      }
    }
  }

  private static void run(Connection connection, String sql) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void aConnectionOfADataSourceDoes() throws Exception {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {log.database.server().port()});
    source.setDatabaseName(log.database.name());
    source.setUser(ProducedLog.PRODUCER);
    source.setPassword(TestDatabase.PASSWORD);
    log.start();
    try (RecordedWaits pooled = RecordedWaits.on(source)) {
      assertThat(pooled.await("orders", log.commit(1), A_MINUTE)).isTrue();
    }
  }
}
