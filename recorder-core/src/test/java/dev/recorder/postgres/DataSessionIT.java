package dev.recorder.postgres;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class DataSessionIT {
  private final CompletableFuture<DataSession> session = new CompletableFuture<>();
  private final CompletableFuture<Connection> opened = new CompletableFuture<>();

  /** An interrupt does not stop who is connecting. */
  @Test
  void aSessionThatWasBeingOpenedWhenItsMachineClosedDoesNotStay() throws Exception {
    try (TestDatabase database = TestDatabase.createOwned()) {
      PGSimpleDataSource source = new ClosingSource();
      source.setUrl(database.jdbcUrl());
      source.setUser(TestDatabase.ROLE);
      source.setPassword(TestDatabase.PASSWORD);
      DataSession closed = new DataSession(Sessions.of(source, "host-a"), 1);
      session.complete(closed);
      CompletableFuture<Boolean> left = new CompletableFuture<>();
      closed.execute(() -> left.complete(isOpen(closed)));

      assertThat(left.get(1, TimeUnit.MINUTES)).isFalse();
      await().until(opened.get(1, TimeUnit.MINUTES)::isClosed);
    }
  }

  private static boolean isOpen(DataSession session) {
    try {
      return !session.connection().isClosed();
    } catch (SQLException refused) {
      return false;
    }
  }

  /** Opens a session, and has it closed before anybody has it. */
  private final class ClosingSource extends PGSimpleDataSource {
    private static final long serialVersionUID = 1;

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      session.join().close();
      opened.complete(connection);
      return connection;
    }
  }
}
