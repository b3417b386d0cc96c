package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.settings.SettingOverrides;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.slotlog.SequenceObservation.SnapshotLook;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * A host's session that looks whether rows may have come for any of its logs, and receives the
 * notifications of producers. For one thread at a time, except {@link #close}. Methods throw {@link
 * DatabaseException}, after which the session must be closed.
 */
public final class PollSession implements AutoCloseable {
  private static final String CHANNEL = "handoff_";

  private final Connection connection;
  private final Sessions sessions;
  private final SqlStatement look;
  private List<Long> asked = List.of();
  private @Nullable PollAnswer answer;

  private PollSession(Connection connection, Sessions sessions) throws SQLException {
    this.connection = connection;
    this.sessions = sessions;
    this.look = LOOK.on(connection);
  }

  /** Opens a session. */
  public static PollSession open(Sessions sessions) {
    Connection connection = sessions.openListen();
    try {
      // Limits the wait for an answer on a broken connection.
      int answerWithin = Math.toIntExact(2 * sessions.networkTimeout().toMillis());
      connection.setNetworkTimeout(Runnable::run, answerWithin);
      SettingOverrides.poller(connection);
      return new PollSession(connection, sessions);
    } catch (SQLException e) {
      SqlConnections.abort(connection);
      throw failure(e);
    }
  }

  /** Starts listening for the recorders {@code more}, and stops for {@code noMore}. */
  public void listen(Collection<RecorderName> more, Collection<RecorderName> noMore) {
    String sql =
        Stream.concat(
                noMore.stream().map(name -> ofChannel("UNLISTEN {channel}", name)),
                more.stream().map(name -> ofChannel("LISTEN {channel}", name)))
            .collect(Collectors.joining("; "));
    ask(
        c -> {
          try (Statement statement = c.createStatement()) {
            return statement.execute(sql);
          }
        });
  }

  private static String ofChannel(String statement, RecorderName name) {
    return SqlTemplate.fill(statement, Map.of("channel", CHANNEL + name));
  }

  private static final Sql COUNTERS =
      Sql.of(
          """
          SELECT place, CASE WHEN to_regclass(name) IS NOT NULL
            THEN pg_get_serial_sequence(name, 'id')::regclass::oid::bigint END
          FROM unnest(:tables) WITH ORDINALITY AS tables (name, place)
          """);

  /**
   * Returns the OIDs of the id sequences of these recorders' tables. Recorders without a table or
   * sequence are missing.
   */
  public Map<RecorderName, Long> counters(Collection<RecorderName> names) {
    List<RecorderName> recorders = List.copyOf(names);
    Object[] tables = recorders.stream().map(sessions.schemas()::handoffTable).toArray();
    return ask(
        c -> {
          Map<RecorderName, Long> found = new HashMap<>();
          try (SqlStatement statement = COUNTERS.on(c);
              ResultSet row = statement.setArray("tables", "text", tables).query()) {
            while (row.next()) {
              long counter = row.getLong(2);
              if (!row.wasNull()) {
                found.put(recorders.get(row.getInt(1) - 1), counter);
              }
            }
          }
          return found;
        });
  }

  /**
   * The age of xid 3, the first that a transaction can have, gives the next xid. A sequence with a
   * cache of more than one id moves before its ids are used, so its value is not read. The results
   * are texts because the driver parses these fastest, and this statement runs all the time.
   */
  private static final Sql LOOK =
      Sql.of(
          """
          SELECT pg_current_snapshot()::text, age('3'::xid), array_to_string(ARRAY(
            SELECT (
              SELECT coalesce(pg_sequence_last_value(s.seqrelid), 0)
              FROM pg_sequence s
              WHERE s.seqrelid = counters.id::oid AND s.seqcache = 1
                AND has_sequence_privilege(s.seqrelid, 'USAGE'))
            FROM unnest(:counters) WITH ORDINALITY AS counters (id, place) ORDER BY place),
            ',', '-')
          """);

  /**
   * The raw and the parsed result of a look, kept because the next look mostly returns the same.
   */
  private record PollAnswer(String snapshot, int age, String drawn, List<SnapshotLook> looks) {
    boolean is(String thatSnapshot, int thatAge, String thatDrawn) {
      return age == thatAge && drawn.equals(thatDrawn) && snapshot.equals(thatSnapshot);
    }
  }

  /**
   * Reads the snapshot and the sequences with these OIDs, in one statement.
   *
   * @return a look for each sequence, in the same order
   */
  public List<SnapshotLook> look(List<Long> counters) {
    return ask(
        c -> {
          if (!counters.equals(asked)) {
            look.setArray("counters", "bigint", counters.toArray());
            asked = List.copyOf(counters);
            answer = null;
          }
          return look.first(this::looks).orElseThrow();
        });
  }

  private List<SnapshotLook> looks(ResultSet row) throws SQLException {
    String snapshot = row.getString(1);
    int age = row.getInt(2);
    String drawn = row.getString(3);
    PollAnswer before = answer;
    if (before != null && before.is(snapshot, age, drawn)) {
      return before.looks();
    }
    List<SnapshotLook> looks = looks(Snapshot.parse(snapshot), age, drawn.split(",", -1));
    if (looks.size() != asked.size()) {
      throw new SQLException(looks.size() + " values of " + asked.size() + " counters");
    }
    answer = new PollAnswer(snapshot, age, drawn, looks);
    return looks;
  }

  private static List<SnapshotLook> looks(Snapshot snapshot, int age, String[] drawn) {
    long next = snapshot.firstFrom(age + 3);
    return Stream.of(drawn)
        .map(last -> new SnapshotLook(snapshot, next, last.equals("-") ? null : Long.valueOf(last)))
        .toList();
  }

  /**
   * Waits for notifications, for at most {@code limit}, and returns the names of their recorders.
   */
  public List<String> await(Duration limit) {
    // Rounded up, so that the caller does not wait twice. A time-out of 0 would be endless.
    int millis = (int) Math.max(1, limit.plusNanos(999_999).toMillis());
    return ask(
        c -> {
          PGNotification[] notifications = c.unwrap(PGConnection.class).getNotifications(millis);
          if (notifications == null) {
            return List.of();
          }
          return Stream.of(notifications)
              .map(PGNotification::getName)
              .filter(channel -> channel.startsWith(CHANNEL))
              .map(channel -> channel.substring(CHANNEL.length()))
              .toList();
        });
  }

  /** Ends the session, from any thread. */
  @Override
  public void close() {
    SqlConnections.abort(connection);
  }

  private <T> T ask(SqlFunction<Connection, T> question) {
    try {
      return question.apply(connection);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private static DatabaseException failure(SQLException e) {
    return new DatabaseException(
        SqlStates.sessionSurvives(e) ? SqlStates.kindOf(e) : DatabaseErrorKind.UNREACHABLE,
        SqlStates.describe(e),
        e);
  }
}
