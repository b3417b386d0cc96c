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
 * A session on which queries of users run, and nothing else does with the recorder's rights: a
 * query may run code of whoever owns a view, a type or a function that it names.
 *
 * <p>Such code runs as {@link QueryFunction#READERS}, in a transaction that may only read and that
 * is rolled back in any case, so that no trigger of theirs is left for its end. What outlives a
 * transaction, such as prepared statements and settings, is discarded before the session says
 * anything else; statements of ours have no names that others could take.
 *
 * <p>For one thread; {@link #close} is for any.
 */
public final class QuerySession implements AutoCloseable {
  /** The client waits for so much longer, so that it is known what the server did. */
  private static final Duration LATER = Duration.ofSeconds(2);

  /** What it takes to clean up; a session that takes longer is given up. */
  private static final Duration CLEANING = Duration.ofSeconds(10);

  /** Data exceptions, and a subquery with more than one row: retrying is useless. */
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
   * Opens one.
   *
   * @throws DatabaseException if it cannot be opened
   */
  public static QuerySession open(Sessions sessions) {
    return new QuerySession(sessions.openForDocuments(), sessions);
  }

  /**
   * What a query has said of an entity.
   *
   * @param state null if the document is too large for now
   * @param bytes the document's size
   */
  public record QueryAnswer(@Nullable EntityState state, long bytes) {}

  /** Whether it is of further use. */
  public boolean isOpen() {
    return isOpen;
  }

  /**
   * Asks for the entity's document.
   *
   * @param most a larger document is not read
   * @param snapshot exported by another session, which this one is to see
   * @throws SQLException if it cannot: the other session has ended, or is one of another server
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
   * What the server has against a query, which it plans and does not run: that it does not
   * understand it, or that it reads what it may not. Empty if it has nothing.
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

  /** Reads the rows of an answer. */
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

  /** Before anything of users runs: what fails here is no fault of a query. */
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

  /** In messages of their own: nothing is discarded in a transaction. */
  private void clean() {
    try (Statement statement = connection.createStatement()) {
      wait(CLEANING);
      statement.execute("ROLLBACK");
      statement.execute("DISCARD ALL");
      statement.execute(settings);
    } catch (SQLException e) {
      close(); // Whatever is left in it, nothing is said on it any more.
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
