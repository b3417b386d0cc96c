package dev.recorder.requests.postgres;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.EntityState;
import dev.recorder.schema.QueryFunction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A session for users' queries, without the recorder's rights, since a query may run code of the
 * owner of a view, type or function.
 *
 * <p>Such code runs as {@link QueryFunction#READERS}, in a read-only transaction. The transaction
 * is always rolled back, so that no deferred trigger of a user runs at its end. State that outlives
 * a transaction, such as prepared statements and settings, is discarded before the session is used
 * again. Our statements have no names that users could redefine.
 *
 * <p>For one thread; {@link #close} is for any.
 */
public final class QuerySession implements AutoCloseable {
  /** The client waits longer than the server by this time, to learn the result. */
  private static final Duration LATER = Duration.ofSeconds(2);

  /** Limit for cleaning up; a session that takes longer is given up. */
  private static final Duration CLEANING = Duration.ofSeconds(10);

  /**
   * SQLSTATE classes of data exceptions, and of a subquery with more than one row, where a
   * repetition would not help.
   */
  private static final Set<String> OF_DATA = Set.of("22", "21");

  private static final String TIMED_OUT = "57014";

  private final Connection connection;
  private final String function;
  private final String settings;
  private final Map<EntityQuery, String> kinds = new HashMap<>();
  private volatile boolean isOpen = true;

  private QuerySession(Connection connection, Sessions sessions) {
    this.connection = connection;
    this.function = new QueryFunction(sessions.schemas()).name();
    this.settings = sessions.settingsForDocuments();
  }

  /**
   * Opens a session.
   *
   * @throws DatabaseException if it cannot be opened
   */
  public static QuerySession open(Sessions sessions) {
    return new QuerySession(sessions.openForDocuments(), sessions);
  }

  /**
   * The result of a query for an entity.
   *
   * @param state null if the document is too large for now
   * @param bytes the document's size
   */
  public record QueryAnswer(@Nullable EntityState state, long bytes) {}

  /** Whether the session can be used again. */
  public boolean isOpen() {
    return isOpen;
  }

  /**
   * Reads the entity's document, as the exported snapshot sees it.
   *
   * @param most a larger document is not read
   * @param snapshot exported by another session
   * @throws SQLException if the other session has ended, or is on another server
   */
  public QueryAnswer read(EntityQuery query, String entity, long most, String snapshot)
      throws SQLException {
    String kind = kinds.get(query);
    if (kind == null) {
      begin(query.limit(), "");
      try {
        kind = kind(query);
      } catch (SQLException e) {
        return new QueryAnswer(failure(e, query), 0);
      }
      kinds.put(query, kind);
    }
    begin(query.limit(), snapshot);
    try {
      return run(
          QueryStatement.document(query, kind, entity, most), query.limit(), QuerySession::answer);
    } catch (SQLException e) {
      return new QueryAnswer(failure(e, query), 0);
    }
  }

  private static QueryAnswer answer(ResultSet row) throws SQLException {
    row.next();
    long bytes = row.getLong(1);
    return new QueryAnswer(QueryStatement.state(row).orElse(null), bytes);
  }

  /**
   * Has the server plan a query without running it, and returns the objection, such as a syntax
   * error or missing rights. Empty if there is none.
   */
  public String fault(EntityQuery query) {
    try {
      begin(query.limit(), "");
      kind(query);
      return "";
    } catch (SQLException e) {
      return QueryStatement.describe(e);
    }
  }

  private String kind(EntityQuery query) throws SQLException {
    return run(
        QueryStatement.kind(query),
        query.limit(),
        row -> {
          row.next();
          return row.getString(2);
        });
  }

  private static EntityState failure(SQLException e, EntityQuery query) {
    String state = String.valueOf(e.getSQLState());
    String why = "the query failed: " + QueryStatement.describe(e);
    if (OF_DATA.contains(state.substring(0, 2))) {
      return new EntityState.Unfit(why);
    } else if (state.equals(TIMED_OUT)) {
      return new EntityState.NotNow(
          why
              + "; it may take %d ms, nine tenths of handler_timeout"
                  .formatted(query.limit().toMillis()));
    }
    return new EntityState.NotNow(why);
  }

  @FunctionalInterface
  private interface Reading<T> {
    T of(ResultSet row) throws SQLException;
  }

  private <T> T run(String statement, Duration limit, Reading<T> reading) throws SQLException {
    try (Statement asking = connection.createStatement()) {
      asking.setEscapeProcessing(false);
      wait(limit.plus(LATER));
      try (ResultSet row =
          asking.executeQuery(
              SqlTemplate.fill(
                  ASK, Map.of("function", function, "statement", Quoted.literal(statement))))) {
        return reading.of(row);
      }
    } finally {
      clean();
    }
  }

  private static final String ASK =
      "SELECT f.bytes, f.document, f.snapshot FROM {function}({statement}) AS f";

  private static final String BEGIN =
      """
      BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
      {adopted}SELECT set_config('statement_timeout', {timeout}, true)""";

  private static final String ADOPTED = "SET TRANSACTION SNAPSHOT {snapshot};\n";

  /**
   * Begins the transaction before any user's code, so that a failure here is not the query's fault.
   */
  private void begin(Duration limit, String snapshot) throws SQLException {
    if (!isOpen) {
      throw new SQLException("the session for queries is lost", "08003");
    }
    try (Statement statement = connection.createStatement()) {
      wait(CLEANING);
      statement.execute(
          SqlTemplate.fill(
              BEGIN,
              Map.of(
                  "adopted",
                  snapshot.isEmpty()
                      ? ""
                      : SqlTemplate.fill(ADOPTED, Map.of("snapshot", Quoted.literal(snapshot))),
                  "timeout",
                  Quoted.literal(Long.toString(limit.toMillis())))));
    } catch (SQLException e) {
      close();
      throw e;
    }
  }

  /** Cleans the session in separate messages, since DISCARD cannot run in a transaction. */
  private void clean() {
    try (Statement statement = connection.createStatement()) {
      wait(CLEANING);
      statement.execute("ROLLBACK");
      statement.execute("DISCARD ALL");
      statement.execute(settings);
    } catch (SQLException e) {
      close(); // Some state may be left, so the session is not used again.
    }
  }

  private void wait(Duration longest) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(longest.toMillis()));
  }

  @Override
  public void close() {
    isOpen = false;
    SqlConnections.abort(connection);
  }
}
