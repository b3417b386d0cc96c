package dev.recorder.app.shop;

import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.postgresql.PGConnection;

/**
 * A client of the {@link Shop}, by JDBC and COPY, until it is told to stop. It connects again where
 * its server was killed.
 */
final class ShopWork implements Callable<Void> {
  private static final int DOWN_MILLIS = 100;

  private final TestDatabase database;
  private final ShopChanges changes;
  private final Duration pause;
  private final BooleanSupplier stopping;

  /** Bounded by the columns that it adds to. */
  private int columns;

  ShopWork(TestDatabase database, ShopChanges changes, Duration pause, BooleanSupplier stopping) {
    this.database = database;
    this.changes = changes;
    this.pause = pause;
    this.stopping = stopping;
  }

  @Override
  public Void call() throws SQLException, InterruptedException {
    while (!stopping.getAsBoolean()) {
      try (Connection connection = database.connect();
          Statement statement = connection.createStatement()) {
        statement.setEscapeProcessing(false);
        for (String limit : ShopChanges.LIMITS) {
          statement.execute("SET " + limit);
        }
        connection.setAutoCommit(false);
        while (!stopping.getAsBoolean()) {
          tryOne(connection, statement);
          Thread.sleep(pause.toMillis());
        }
      } catch (SQLException e) {
        if (!isOfTheServer(e)) {
          throw e;
        }
        Thread.sleep(DOWN_MILLIS);
      }
    }
    return null;
  }

  /** It is down, or was. */
  private static boolean isOfTheServer(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("08") || state.startsWith("57P");
  }

  private void tryOne(Connection connection, Statement statement) throws SQLException {
    try {
      transact(connection, statement);
    } catch (SQLException e) {
      if (!ShopChanges.isExpected(e.getSQLState())) {
        throw e;
      }
      connection.rollback();
    }
  }

  private void transact(Connection connection, Statement statement) throws SQLException {
    for (int left = 1 + changes.draw(4); left > 0; left--) {
      int kind = changes.draw(40);
      if (kind == 0) {
        copy(connection);
      } else if (kind == 1 && columns < 5) {
        // Of one client: others would add the same. That fires no trigger: documents which are to
        // have the column are asked for.
        statement.execute(
            "ALTER TABLE customer ADD COLUMN IF NOT EXISTS more%d numeric DEFAULT 1.50"
                .formatted(++columns));
        statement.execute("UPDATE customer SET mood = mood");
      } else if (kind < 10) {
        statement.execute("SAVEPOINT s");
        statement.execute(changes.change());
        statement.execute("ROLLBACK TO s");
      } else {
        statement.execute(changes.change());
      }
    }
    if (changes.draw(6) == 0) {
      connection.rollback();
    } else {
      connection.commit();
    }
  }

  private void copy(Connection connection) throws SQLException {
    try {
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("COPY visit FROM STDIN", new StringReader(changes.copied()));
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
