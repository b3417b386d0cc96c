package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.holders.AdvisoryLockKey;
import dev.recorder.postgres.holders.LockHolder;
import dev.recorder.postgres.holders.LockHolders;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.HandoffTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * A host's session for notifications. The same thread also ends sessions of silent hosts, and
 * clears settled requests. One thread at a time. Its methods throw {@link DatabaseException}; the
 * session must then be closed.
 */
public final class ListenSession implements AutoCloseable {
  private static final String CHANNEL = "handoff_";

  private final Connection connection;
  private final SchemaNames names;
  private final String machine;
  private final Sql evictSilent;

  private ListenSession(Connection connection, Sessions sessions) {
    this.connection = connection;
    this.names = sessions.schemas();
    this.machine = sessions.machine();
    this.evictSilent = Sql.in(names, EVICT_SILENT);
  }

  /** Opens a session that listens to nothing yet. */
  public static ListenSession open(Sessions sessions) {
    return new ListenSession(sessions.openListen(), sessions);
  }

  /** The channel on which applications may announce requests of a recorder. */
  public static String channel(RecorderName recorder) {
    return CHANNEL + recorder;
  }

  /**
   * Listens to the channels of these recorders only, and notifies itself on each, so that earlier
   * requests are found at once.
   */
  public void listen(Collection<RecorderName> recorders) {
    StringBuilder sql = new StringBuilder("UNLISTEN *");
    recorders.forEach(name -> sql.append(ofChannel("; LISTEN {channel}", name)));
    recorders.forEach(name -> sql.append(ofChannel("; NOTIFY {channel}", name)));
    run(sql.toString());
  }

  private static String ofChannel(String statement, RecorderName name) {
    return SqlTemplate.fill(statement, Map.of("channel", channel(name)));
  }

  private void run(String sql) {
    ask(
        c -> {
          try (Statement statement = c.createStatement()) {
            return statement.execute(sql);
          }
        });
  }

  /** Waits for notifications; returns the names of their recorders. */
  public List<String> await(Duration limit) {
    return ask(
        c -> {
          PGNotification[] notifications =
              c.unwrap(PGConnection.class).getNotifications((int) limit.toMillis());
          return Stream.ofNullable(notifications)
              .flatMap(Stream::of)
              .map(PGNotification::getName)
              .filter(channel -> channel.startsWith(CHANNEL))
              .map(channel -> channel.substring(CHANNEL.length()))
              .toList();
        });
  }

  private static final String EVICT_SILENT =
      """
      SELECT count(pg_terminate_backend(a.pid))
      FROM {info_recorders} i
      JOIN pg_stat_activity a ON a.application_name = 'recorder/' || i.name || '/data'
      WHERE i.name <> :machine AND a.usename = current_user AND a.datname = current_database()
        AND i.update_time < clock_timestamp() - :silence * interval '1 millisecond'
        AND a.backend_start < clock_timestamp() - :silence * interval '1 millisecond'
      """;

  /**
   * Ends sessions that hold requests for hosts whose last heartbeat is older than {@code silence}.
   * Such a host is frozen, cut off, or dead without the server's notice. Their requests are then
   * free. If such a host is still alive, its unit is rolled back, and its write fails on another
   * version.
   *
   * @return the number of sessions that were ended
   */
  public int evictSilent(Duration silence) {
    return ask(
        c -> {
          try (SqlStatement statement = evictSilent.on(c)) {
            return (int)
                statement.set("machine", machine).set("silence", silence.toMillis()).number();
          }
        });
  }

  /**
   * The result of one step of clearing.
   *
   * @param upTo the last id that was looked at; 0 if there was none
   * @param removed the number of deleted rows
   */
  public record ClearedBatch(long upTo, int removed) {}

  private static final String CLEAR =
      """
      WITH span AS MATERIALIZED (SELECT id FROM {table} WHERE id > :after ORDER BY id LIMIT :most),
      old AS (
        SELECT id FROM {table} r WHERE id IN (SELECT id FROM span)
          AND request_status IN ('complete', 'error')
          AND settled_at < clock_timestamp() - :history * interval '1 millisecond'
          AND (request_type = 'update' OR request_status = 'error' AND NOT EXISTS (
            SELECT FROM {table} o WHERE o.entity_id = r.entity_id AND o.id <> r.id
              AND octet_length(o.entity_id) <= {longest_entity}))
        FOR UPDATE SKIP LOCKED),
      gone AS (DELETE FROM {table} WHERE id IN (SELECT id FROM old) RETURNING id)
      SELECT coalesce((SELECT max(id) FROM span), 0), (SELECT count(*) FROM gone)
      """;

  /**
   * Deletes requests with an id above {@code after} that were settled longer than {@code history}
   * ago. A complete create stays forever, and a failed create stays as long as its entity has other
   * requests.
   *
   * @param most how many rows are looked at
   */
  public ClearedBatch clear(RecorderName recorder, Duration history, long after, int most) {
    Sql clear =
        Sql.of(
            CLEAR,
            Map.of(
                "table", names.handoffTable(recorder),
                "longest_entity", Integer.toString(HandoffTable.LONGEST_ENTITY)));
    return ask(
        c -> {
          try (SqlStatement statement = clear.on(c)) {
            return statement
                .set("after", after)
                .set("most", most)
                .set("history", history.toMillis())
                .first(row -> new ClearedBatch(row.getLong(1), row.getInt(2)))
                .orElseThrow();
          }
        });
  }

  /** The most waiting requests looked at; later ones are not delayed yet. */
  private static final String MOST_WAITING = "1000";

  private static final String WAITING =
      """
      SELECT DISTINCT entity_id FROM (
        SELECT entity_id FROM {table} WHERE request_status = 'new' ORDER BY id LIMIT {most}) w
      """;

  /**
   * Returns foreign sessions that hold the lock of an entity with waiting requests. Each host then
   * believes that another host has the entity.
   */
  public List<LockHolder> foreignHolders(RecorderName recorder, int lockId) {
    Sql waiting =
        Sql.of(WAITING, Map.of("table", names.handoffTable(recorder), "most", MOST_WAITING));
    long seed = names.entityLockSeed(lockId);
    return ask(
        c -> {
          try (SqlStatement statement = waiting.on(c)) {
            return LockHolders.foreignHolders(
                c,
                statement.all(
                    row ->
                        AdvisoryLockKey.ofHash(
                            "entity " + row.getString(1) + " of " + recorder,
                            row.getString(1),
                            seed)));
          }
        });
  }

  /** Sends a query, which notices a lost connection. */
  public void probe() {
    run("SELECT");
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
      throw new DatabaseException(
          SqlStates.sessionSurvives(e) ? SqlStates.kindOf(e) : DatabaseErrorKind.UNREACHABLE,
          SqlStates.describe(e),
          e);
    }
  }
}
