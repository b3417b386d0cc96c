package dev.recorder.producer.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.machine.RunningMachine;
import dev.recorder.testing.servers.BaseBackup;
import dev.recorder.testing.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code recorder.wait_recorded} of an application, with machines that record. */
class WaitRecordedIT {
  private ProducedLog log;

  @BeforeEach
  void create() throws Exception {
    log = new ProducedLog();
  }

  @AfterEach
  void close() throws Exception {
    log.close();
  }

  @Test
  @Tag("smoke")
  void aCommittedTransactionIsInAnObjectWhenTheWaitIsOver() throws Exception {
    log.start();
    for (int i = 0; i < 20; i++) {
      long xid = log.commit(2);

      assertThat(waitFor(xid, "1 minute")).isTrue();
      assertThat(log.recorded(xid)).isEqualTo(2);
    }
  }

  @Test
  void aTransactionOfSeveralSlotsIsRecordedWithTheLastOfThem() throws Exception {
    HeldBack last = new HeldBack(log.bucket, ProducedLog.LAYOUT.slotKey(4));
    long before = log.commit(1);
    long large = log.commit(9);
    log.start("host-a", last.store());
    last.awaitReached();

    assertThat(log.recorded(large)).isEqualTo(8);
    assertThat(waitFor(large, "0")).isFalse();
    assertThat(waitFor(before, "0")).isTrue();

    last.release();
    assertThat(waitFor(large, "1 minute")).isTrue();
    assertThat(log.recorded(large)).isEqualTo(9);
  }

  @Test
  void aTakeoverInTheMiddleOfAWaitIsNoneOfItsBusiness() throws Exception {
    HeldBack first = new HeldBack(log.bucket, ProducedLog.LAYOUT.slotKey(1));
    RunningMachine dying = log.start("host-a", first.store());
    log.awaitHolder("host-a");
    long xid = log.commit(1);
    CompletableFuture<Boolean> waited = waitAside(xid);
    first.awaitReached();
    log.start("host-b", log.bucket);

    CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> stop(dying));
    log.awaitHolder("host-b");

    assertThat(waited.join()).isTrue();
    assertThat(log.recorded(xid)).isEqualTo(1);
    first.release();
    stopped.join();
  }

  private static void stop(RunningMachine machine) {
    try {
      machine.stop();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aTransactionWithoutRowsCountsAsRecordedWhenALaterOneIs() throws Exception {
    log.start();
    long without = number("SELECT pg_current_xact_id()");
    assertThat(waitFor(without, "0")).isFalse();

    assertThat(waitFor(log.commit(1), "1 minute")).isTrue();

    assertThat(waitFor(without, "0")).isTrue();
  }

  @Test
  void aStandbyRefusesToSay() throws Exception {
    try (PostgresServer primary = PostgresServer.start();
        ProducedLog other = new ProducedLog(primary);
        BaseBackup backup = BaseBackup.forStandby(primary, primary.port());
        PostgresServer standby = PostgresServer.builder().from(backup).start()) {
      assertThatThrownBy(() -> other.database.on(standby).execute(call("100", "'0'")))
          .hasMessageContaining("standby")
          .hasMessageContaining("Ask the primary")
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("55000");
    }
  }

  private CompletableFuture<Boolean> waitAside(long xid) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return waitFor(xid, "1 minute");
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static String call(String xid, String timeout) {
    return "SELECT recorder.wait_recorded('orders', '%s', %s)".formatted(xid, timeout);
  }

  private boolean waitFor(long xid, String timeout) throws SQLException {
    return answer(call(Long.toString(xid), "'" + timeout + "'")).equals("t");
  }

  private long number(String sql) throws SQLException {
    return Long.parseLong(answer(sql));
  }

  private String answer(String sql) throws SQLException {
    try (Connection connection = log.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
