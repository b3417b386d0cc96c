package dev.recorder.capture.postgres.snapshot;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.postgres.catalog.CaptureCall;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.capture.script.SnapshotStatements;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.holders.AdvisoryLockKey;
import dev.recorder.postgres.holders.Blockers;
import dev.recorder.postgres.holders.LockHolders;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.PayloadLimit;
import dev.recorder.time.Pause;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * A session that takes a snapshot in short transactions. If a transaction is blocked, it gives up
 * rather than let other sessions queue up behind it, and is tried again. For one thread.
 */
public final class SnapshotSession {
  /** How long a transaction waits for a lock while other sessions may wait for its locks. */
  static final Duration WAITS = Duration.ofMillis(100);

  /** Time limit of a statement that locks rows, or locks a table against writers. */
  static final Duration CHUNK_LIMIT = Duration.ofMillis(700);

  /** Time limit of a statement that locks at most one row, or blocks no writer. */
  static final Duration LONG_LIMIT = Duration.ofSeconds(30);

  private static final Duration IDLE_LIMIT = Duration.ofSeconds(5);

  /** Attempts in about ten minutes. The pauses between them grow at first. */
  private static final int MOST_FAILURES = 600;

  private static final int MOST_CHANGES = 20;
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final int DOUBLINGS = 6;

  /**
   * Attempts to take the snapshot's lock. The session of a killed process keeps it until the server
   * notices.
   */
  private static final int LOCK_ATTEMPTS = 4;

  /**
   * SQLSTATEs that may mean that the table has changed since it was read: unknown table or column,
   * wrong type. A function that the capture calls may also fail with them.
   */
  private static final Set<String> CHANGED = Set.of("42P01", "42703", "42804", "42809");

  /** Finds the innermost function in an error's context, in any language of the server. */
  private static final Pattern FUNCTION =
      Pattern.compile(
          "^(?:[^\"]*\\s(\\S+\\([^\"]*\\)) |SQL function \"(\\S+)\" )", Pattern.MULTILINE);

  /**
   * Classes of errors that a retry does not cure: values, names, limits, and errors raised by
   * functions.
   */
  private static final Set<String> LASTING = Set.of("22", "23", "2F", "38", "39", "42", "54", "P0");

  private static final String CHECK_VIOLATION = "23514";

  private final Connection connection;
  private final CaptureRule rule;
  private final ChunkSize size = new ChunkSize();
  private final AtomicInteger changes;
  private int failures;

  /**
   * Creates a session of a snapshot.
   *
   * @param changes counts how often the table or capture had changed since the last chunk
   */
  SnapshotSession(Connection connection, CaptureRule rule, AtomicInteger changes) {
    this.connection = connection;
    this.rule = rule;
    this.changes = changes;
  }

  ChunkSize size() {
    return size;
  }

  private static final Sql LOCK = Sql.of("SELECT pg_try_advisory_lock(hashtextextended(:name, 0))");
  private static final Sql UNLOCK = Sql.of("SELECT pg_advisory_unlock(hashtextextended(:name, 0))");

  /**
   * Takes the advisory lock of this table's snapshot, until {@link #unlock} or the session's end.
   * No other session can take a snapshot of the table meanwhile.
   */
  void lock() throws SQLException, InterruptedException {
    for (int attempt = 1; !ask(LOCK); attempt++) {
      if (attempt == LOCK_ATTEMPTS) {
        throw new DatabaseException(
            DatabaseErrorKind.BUSY,
            "another session hands over the rows of table %s to recorder %s, or has the lock of that%s; try again when it has ended"
                .formatted(rule.table(), rule.recorder(), holder()));
      }
      Pause.sleep(LONGEST_PAUSE);
    }
  }

  /** Describes the lock's holder, beginning with a colon; empty if the lock is free meanwhile. */
  private String holder() throws SQLException {
    String lock = CaptureNames.snapshotLock(rule.recorder(), rule.table());
    return LockHolders.of(connection, AdvisoryLockKey.ofHash("the snapshot", lock, 0))
        .map(holder -> ": " + holder)
        .orElse("");
  }

  /** Returns whether a locked table still is as it was read. */
  boolean has(SnapshotSource source) throws SQLException {
    return source.isUnchanged(connection);
  }

  /**
   * Refuses a table or part if reading it could run code of other roles. It must be {@link
   * SnapshotStatements#hold held}.
   */
  void requireOwnCode(SnapshotSource source, long relation)
      throws SQLException, RefusedCaptureException {
    CodeOfReading.require(connection, source.name(), relation);
  }

  void unlock() throws SQLException {
    ask(UNLOCK);
  }

  private boolean ask(Sql sql) throws SQLException {
    try (SqlStatement statement = sql.on(connection)) {
      return statement
          .set("name", CaptureNames.snapshotLock(rule.recorder(), rule.table()))
          .truth();
    }
  }

  /** Tests whether the table and capture that a step needs still are as they were read. */
  @FunctionalInterface
  interface Unchanged {
    boolean isSo(Connection connection) throws SQLException;
  }

  /** Takes a step that blocks no writer, with the time limit {@link #LONG_LIMIT}. */
  <T> Optional<T> transact(
      SnapshotSource source, CaptureCall<Optional<T>, InterruptedException> step)
      throws SQLException, RefusedCaptureException, InterruptedException {
    return transact(LONG_LIMIT, source::isAsRead, step);
  }

  /**
   * Takes a step in a transaction of its own. Tries again while other sessions block it.
   *
   * @param longest time limit of each statement
   * @param unchanged asked after a failure: if true, the failure is not due to a changed table or
   *     capture
   * @param step returns empty to roll back, so that table and capture are read again
   * @throws DatabaseException with kind BUSY, if other sessions keep blocking it
   */
  <T> Optional<T> transact(
      Duration longest, Unchanged unchanged, CaptureCall<Optional<T>, InterruptedException> step)
      throws SQLException, RefusedCaptureException, InterruptedException {
    while (true) {
      Pause.endIfInterrupted();
      try (Transaction transaction = Transaction.begin(connection)) {
        limit(longest);
        Optional<T> done = step.run();
        if (done.isPresent()) {
          transaction.commit();
          failures = 0;
        } else {
          changed("");
        }
        return done;
      } catch (SQLException e) {
        if (CHANGED.contains(e.getSQLState()) && !holds(unchanged)) {
          changed(" (" + SqlStates.describe(e) + ")");
          return Optional.empty();
        }
        failed(e);
      }
      size.failed();
      Pause.sleep(pause());
    }
  }

  private boolean holds(Unchanged unchanged) throws SQLException {
    try (Transaction transaction = Transaction.begin(connection)) {
      return unchanged.isSo(connection);
    }
  }

  /** Notes that rows were handed over, and resets the count of changes. */
  void gotOn() {
    changes.set(0);
  }

  private static final Sql LIMITS =
      Sql.of(
          """
          SELECT set_config('lock_timeout', :waits, true),
            set_config('statement_timeout', :limit, true), set_config('row_security', 'off', true),
            set_config('constraint_exclusion', 'off', true),
            set_config('idle_in_transaction_session_timeout', :idle, true)
          """);

  /**
   * Makes a row level security policy that would hide rows an error, and has the server notice the
   * loss of a stopped client within seconds.
   */
  private void limit(Duration statements) throws SQLException {
    try (SqlStatement statement = LIMITS.on(connection)) {
      statement
          .set("waits", Long.toString(WAITS.toMillis()))
          .set("limit", Long.toString(statements.toMillis()))
          .set("idle", Long.toString(IDLE_LIMIT.toMillis()))
          .first(row -> row.getString(1));
    }
  }

  private void changed(String how) {
    if (changes.incrementAndGet() >= MOST_CHANGES) {
      throw new DatabaseException(
          DatabaseErrorKind.BUSY,
          "table %s or its capture is changed all the time%s; what was handed over stays: try again later"
              .formatted(rule.table(), how));
    }
  }

  private void failed(SQLException e) throws SQLException {
    if (SqlStates.kindOf(e) != DatabaseErrorKind.BUSY) {
      throw e;
    } else if (++failures == MOST_FAILURES) {
      throw new DatabaseException(
          DatabaseErrorKind.BUSY,
          "rows of table %s stay locked by others%s; what was handed over stays: try again later"
              .formatted(rule.table(), Blockers.of(connection, List.of(rule.table().quoted()))),
          e);
    }
  }

  /** Returns the error to report for a failure of a snapshot. */
  public static DatabaseException explained(SQLException e, CaptureRule rule) {
    DatabaseErrorKind kind = isLasting(e) ? DatabaseErrorKind.UNUSABLE : SqlStates.kindOf(e);
    String message = SqlStates.describe(e);
    if (kind == DatabaseErrorKind.RIGHTS) {
      return new DatabaseException(
          kind,
          message
              + ": a snapshot needs SELECT and UPDATE on the table and its partitions, no policy"
              + " that hides rows, membership in "
              + CaptureNames.ROLE
              + ", and TEMPORARY in the database",
          e);
    } else if (CHECK_VIOLATION.equals(e.getSQLState()) && message.contains(PayloadLimit.NAME)) {
      return new DatabaseException(
          kind,
          "table %s has a row that is larger than max_payload of recorder %s: raise it, or leave columns out with --except; what was handed over stays"
              .formatted(rule.table(), rule.recorder()),
          e);
    } else if (kind == DatabaseErrorKind.UNUSABLE) {
      return new DatabaseException(
          kind,
          "rows of table %s cannot be handed over to recorder %s: %s%s; what was handed over stays"
              .formatted(rule.table(), rule.recorder(), message, function(e, rule)),
          e);
    }
    return DatabaseException.of(e);
  }

  /**
   * Returns whether a retry would fail again: the cause is in the data, a definition or a user's
   * function.
   */
  private static boolean isLasting(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return SqlStates.kindOf(e) == DatabaseErrorKind.FAILED
        && LASTING.contains(state.substring(0, Math.min(2, state.length())));
  }

  /** Returns the user's function that failed; empty if none did. */
  private static String function(SQLException e, CaptureRule rule) {
    ServerErrorMessage said =
        e instanceof PSQLException server ? server.getServerErrorMessage() : null;
    String where = said == null ? "" : String.valueOf(said.getWhere());
    Matcher found = FUNCTION.matcher(where);
    if (!found.find()) {
      return "";
    }
    String name = found.group(1) == null ? found.group(2) : found.group(1);
    return name.contains(CaptureNames.functionPrefix(rule.recorder()))
        ? ""
        : ", in function " + name + ", which its capture calls";
  }

  private Duration pause() {
    Duration pause = SHORTEST_PAUSE.multipliedBy(1L << Math.min(failures, DOUBLINGS));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  /**
   * Runs a statement that may contain any characters, without parameters. Returns the number of
   * changed rows.
   */
  int run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(sql);
      return Math.max(0, statement.getUpdateCount());
    }
  }

  /**
   * The result of reading a chunk.
   *
   * @param millis the server's time in milliseconds
   */
  record RowsRead(long rows, long millis) {}

  /** Runs a statement of {@link SnapshotStatements#chunk}. */
  RowsRead read(String chunk) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      long rows;
      long begun;
      statement.execute(chunk);
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        rows = row.getLong(1);
        begun = row.getLong(2);
      }
      statement.getMoreResults();
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        return new RowsRead(rows, row.getLong(1) - begun);
      }
    }
  }

  /** Runs a statement that returns a number. */
  long number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      try (ResultSet row = statement.executeQuery(sql)) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
