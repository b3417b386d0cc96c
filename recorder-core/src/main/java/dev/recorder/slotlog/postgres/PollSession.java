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
 * A machine's session that looks whether rows may have come for any of its logs, and hears what
 * producers notify. One thread at a time, except {@link #close}. Its methods throw {@link
 * DatabaseException}; the session is then to be closed.
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
      // Whoever waits to be told has not waited for long when it turns out that nobody will.
      int answerWithin = Math.toIntExact(2 * sessions.networkTimeout().toMillis());
      connection.setNetworkTimeout(Runnable::run, answerWithin);
      SettingOverrides.poller(connection);
      return new PollSession(connection, sessions);
    } catch (SQLException e) {
      SqlConnections.abort(connection);
      throw failure(e);
    }
  }

  /** Starts listening for some recorders, and stops for others. */
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

  /** The counters of these recorders' ids, by their numbers in the database; not the unknown. */
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
   * The age of the first number that a transaction can have says which is the next one. A counter
   * that hands out more than one at a time moves before they are used, and tells nothing. Texts are
   * what the driver makes least of: this is asked all day long.
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

  /** What came of a look, and what it means: mostly the same as before. */
  private record PollAnswer(String snapshot, int age, String drawn, List<SnapshotLook> looks) {
    boolean is(String thatSnapshot, int thatAge, String thatDrawn) {
      return age == thatAge && drawn.equals(thatDrawn) && snapshot.equals(thatSnapshot);
    }
  }

  /**
   * Looks at counters, in one statement.
   *
   * @return what was seen of each, in their order
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

  /** Waits for what is notified, for {@code limit} at most; gives the recorders it is about. */
  public List<String> await(Duration limit) {
    // Not less than asked for, which would have the caller wait twice; 0 would be forever.
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
