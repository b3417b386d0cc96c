package dev.recorder.machine;

import dev.recorder.testing.servers.BaseBackup;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** What keeps a server from removing the row versions that are written from now on. */
final class HorizonHold {
  private HorizonHold() {}

  /** Closed, it holds no more. */
  @FunctionalInterface
  interface Kind {
    AutoCloseable hold(TestDatabase database) throws Exception;
  }

  /** As pg_dump begins. */
  static AutoCloseable dump(TestDatabase database) throws SQLException {
    return snapshot(database.connectAsSuperuser());
  }

  /** Whose client has gone. */
  static AutoCloseable prepared(TestDatabase database) throws SQLException {
    database.execute("BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'left over'");
    return () -> database.execute("ROLLBACK PREPARED 'left over'");
  }

  /** Of one with a query that takes long; neither gives the other up on a busy machine. */
  static AutoCloseable standby(TestDatabase database) throws Exception {
    database.execute("ALTER SYSTEM SET wal_sender_timeout = 0", "SELECT pg_reload_conf()");
    BaseBackup backup = BaseBackup.forStandby(database.server(), database.server().port());
    PostgresServer standby =
        PostgresServer.builder()
            .set("hot_standby_feedback", "on")
            .set("wal_receiver_status_interval", "1s")
            .set("wal_receiver_timeout", "0")
            .set("max_standby_streaming_delay", "-1")
            .from(backup)
            .start();
    Connection query = snapshot(standby.connectAsSuperuser(database.name()));
    return () -> {
      query.close();
      standby.close();
      backup.close();
      database.execute("ALTER SYSTEM RESET wal_sender_timeout", "SELECT pg_reload_conf()");
    };
  }

  private static Connection snapshot(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT 1");
    }
    return connection;
  }
}
