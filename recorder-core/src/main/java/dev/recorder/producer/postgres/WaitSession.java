package dev.recorder.producer.postgres;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.producer.WaitException;
import dev.recorder.producer.WaitException.Reason;
import dev.recorder.slotlog.postgres.SlotStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The session of all waits. For one thread, except {@link #close}. */
final class WaitSession implements AutoCloseable {
  private static final Map<String, Reason> REASONS =
      Map.of(
          "RW001", Reason.OPEN,
          "RW002", Reason.ROLLED_BACK,
          "RW003", Reason.NOBODY_RUNS,
          "RW004", Reason.PAUSED,
          "RW005", Reason.UNKNOWN_TRANSACTION,
          "42704", Reason.NO_SUCH_LOG,
          "42809", Reason.NO_SUCH_LOG);

  private static final String NO_FUNCTION = "42883";

  private final Connection connection;
  private final int waiters;
  private final Sql look;
  private final Sql position;
  private final Sql join;

  private WaitSession(Connection connection, SchemaNames names) {
    this.connection = connection;
    this.waiters = names.waitersNamespace();
    this.look = Sql.in(names, LOOK);
    this.position = Sql.in(names, POSITION, Map.of("position", SlotStatements.POSITION));
    this.join = Sql.in(names, JOIN);
  }

  /** Opens a session, which does not listen yet. */
  static WaitSession open(Sessions sessions) {
    return new WaitSession(sessions.openListen(), sessions.schemas());
  }

  private static final String LOOK = "SELECT {wait_recorded}(:recorder, :xid::xid8, '0')";

  /**
   * Returns whether the transaction is recorded by now.
   *
   * @throws WaitException if waiting is useless
   */
  boolean look(RecorderName recorder, long xid) throws SQLException {
    try (SqlStatement statement = look.on(connection)) {
      return statement
          .set("recorder", recorder.value())
          .set("xid", Long.toUnsignedString(xid))
          .truth();
    } catch (SQLException e) {
      String state = String.valueOf(e.getSQLState());
      if (!SqlStates.sessionSurvives(e)) {
        throw e;
      }
      throw new WaitException(
          REASONS.getOrDefault(state, Reason.REFUSED),
          SqlStates.describe(e)
              + (state.equals(NO_FUNCTION) ? "; run the output of 'recorder schema'" : ""));
    }
  }

  private static final String POSITION =
      "SELECT {position} FROM {lock_recorders} WHERE recorder = :recorder";

  /** Reads the log's position; empty if there is no such log. */
  Optional<Position> position(RecorderName recorder) throws SQLException {
    try (SqlStatement statement = position.on(connection)) {
      return statement.set("recorder", recorder.value()).first(SlotStatements::position);
    }
  }

  /**
   * The subscription to notifications of a log's slots.
   *
   * @param certain whether every later slot is notified; if false, a slot is being settled at this
   *     moment, and the session must join again
   */
  record SlotSubscription(int lockId, boolean certain) {}

  private static final String JOIN =
      """
      SELECT lock_id, pg_try_advisory_lock_shared(:waiters, lock_id) FROM {lock_recorders}
      WHERE recorder = :recorder
      """;

  /** Listens for slots of a log; empty if there is no such log. */
  Optional<SlotSubscription> join(RecorderName recorder) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(ofChannel("LISTEN {channel}", recorder));
    }
    try (SqlStatement statement = join.on(connection)) {
      return statement
          .set("waiters", waiters)
          .set("recorder", recorder.value())
          .first(row -> new SlotSubscription(row.getInt(1), row.getBoolean(2)));
    }
  }

  private static String ofChannel(String statement, RecorderName recorder) {
    String channel = SchemaNames.recordedChannel(recorder);
    return SqlTemplate.fill(statement, Map.of("channel", channel));
  }

  private static final Sql LEAVE = Sql.of("SELECT pg_advisory_unlock_shared(:waiters, :lock)");

  void leave(RecorderName recorder, SlotSubscription joined) throws SQLException {
    if (joined.certain()) {
      try (SqlStatement statement = LEAVE.on(connection)) {
        statement.set("waiters", waiters).set("lock", joined.lockId()).truth();
      }
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(ofChannel("UNLISTEN {channel}", recorder));
    }
  }

  /** Waits for notifications of slots, for at most {@code limit}, and returns their channels. */
  Set<String> await(Duration limit) throws SQLException {
    PGNotification[] told =
        connection.unwrap(PGConnection.class).getNotifications((int) limit.toMillis());
    return Stream.ofNullable(told)
        .flatMap(Stream::of)
        .map(PGNotification::getName)
        .collect(Collectors.toSet());
  }

  /** Ends the session, from any thread. */
  @Override
  public void close() {
    SqlConnections.abort(connection);
  }
}
