package dev.recorder.schema;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.store.StoreGuarantee;
import dev.recorder.store.StoreLocation;
import dev.recorder.store.StoreViolations;
import dev.recorder.time.Pause;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/** The lost races of one store, in the database of the logs and documents in it. */
public final class JdbcStoreViolations implements StoreViolations {
  /**
   * The longest wait for a lock on the table; it is short, since this may run between heartbeats.
   */
  private static final int WAIT_MILLIS = 100;

  private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);
  private static final int MOST_TRIES = 100;

  private final QueuedSession session;
  private final SchemaNames names;
  private final String machine;
  private final StoreLocation place;

  /** A session for short queries, one at a time. */
  @FunctionalInterface
  public interface QueuedSession {
    <T> T ask(SqlFunction<Connection, T> question);
  }

  public JdbcStoreViolations(
      QueuedSession session, SchemaNames names, String machine, StoreLocation place) {
    this.session = session;
    this.names = names;
    this.machine = machine;
    this.place = place;
  }

  /** Returns the lost races, read on a host's control session. */
  public static JdbcStoreViolations of(RdsManager manager, StoreLocation place) {
    return new JdbcStoreViolations(
        new QueuedSession() {
          @Override
          public <T> T ask(SqlFunction<Connection, T> question) {
            return askWhenConnected(manager, question);
          }
        },
        manager.schemas(),
        manager.machine(),
        place);
  }

  /**
   * Runs a query once there is a session. While a host starts, one session replaces another, so a
   * moment without a session is usual.
   */
  private static <T> T askWhenConnected(RdsManager manager, SqlFunction<Connection, T> question) {
    for (int tries = 1; ; tries++) {
      try {
        return manager.call(question);
      } catch (DatabaseException e) {
        if (e.kind() != DatabaseErrorKind.UNREACHABLE
            || tries == MOST_TRIES
            || !Pause.isRested(BETWEEN_TRIES)) {
          throw e;
        }
      }
    }
  }

  private static final String FIRST =
      """
      SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS'), machine, what
      FROM {lost_races}
      WHERE endpoint = :endpoint AND bucket = :bucket AND (promise = 'create' OR :documents)
      ORDER BY id LIMIT 1
      """;

  @Override
  public ViolationFinding find(StoreGuarantee asked) {
    try {
      return session.ask(connection -> find(connection, asked));
    } catch (DatabaseException e) {
      return new Unknown(
          "whether this store has lost a race before cannot be asked: " + e.getMessage());
    }
  }

  private ViolationFinding find(Connection connection, StoreGuarantee asked) throws SQLException {
    if (!ServerQueries.exists(connection, names.table("lost_races"))) {
      return new None(); // Before the first start the table does not exist.
    }
    try (Transaction transaction = hurried(connection);
        SqlStatement statement = Sql.in(names, FIRST).on(connection)) {
      ViolationFinding found =
          statement
              .set("endpoint", place.endpoint())
              .set("bucket", place.bucket())
              .set("documents", asked == StoreGuarantee.REPLACEMENT)
              .<ViolationFinding>first(this::lost)
              .orElse(new None());
      transaction.commit();
      return found;
    }
  }

  private Lost lost(ResultSet row) throws SQLException {
    return new Lost(
        """
        %s; host %s saw it at %s UTC, and %s, as one that lost \
        a race is not trusted because it wins the next; use another store, or have this one put \
        right and then let an administrator run: DELETE FROM %s WHERE bucket = '%s'\
        """
            .formatted(
                row.getString(3),
                row.getString(2),
                row.getString(1),
                NO_MORE_TESTS,
                names.table("lost_races"),
                place.bucket().replace("'", "''")));
  }

  private static final String NOTE =
      """
      INSERT INTO {lost_races} (endpoint, bucket, promise, machine, what)
      VALUES (:endpoint, :bucket, :promise, :machine, :what)
      """;

  @Override
  public String note(StoreGuarantee lost, String what) {
    try {
      return session.ask(connection -> note(connection, lost, what));
    } catch (DatabaseException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private String note(Connection connection, StoreGuarantee lost, String what) throws SQLException {
    try (Transaction transaction = hurried(connection);
        SqlStatement statement = Sql.in(names, NOTE).on(connection)) {
      statement
          .set("endpoint", place.endpoint())
          .set("bucket", place.bucket())
          .set("promise", lost == StoreGuarantee.CREATION ? "create" : "replace")
          .set("machine", machine)
          .set("what", what)
          .update();
      transaction.commit();
      return "";
    }
  }

  private static final String SHORTLY =
      SqlTemplate.fill(
          "SET LOCAL lock_timeout = {most}", Map.of("most", Integer.toString(WAIT_MILLIS)));

  private static Transaction hurried(Connection connection) throws SQLException {
    Transaction transaction = Transaction.begin(connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute(SHORTLY);
    } catch (SQLException e) {
      transaction.close();
      throw e;
    }
    return transaction;
  }
}
