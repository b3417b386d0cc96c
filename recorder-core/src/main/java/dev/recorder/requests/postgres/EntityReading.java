package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.EntityState;
import dev.recorder.requests.LookAgain;
import dev.recorder.requests.QueryText;
import dev.recorder.requests.Room;
import dev.recorder.requests.WorkUnit;
import dev.recorder.schema.CaptureTriggerNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs users' queries within a unit's transaction, on the session that has its locks: in a
 * subtransaction that may read only, with settings of its own, and rolled back in any case. For the
 * session's thread.
 */
final class EntityReading {
  /** A document that has outgrown the room that was found for it is asked for again. */
  private static final int MOST_LOOKS = 4;

  /** The client waits for so much longer, so that it is known what the server did. */
  private static final Duration LATER = Duration.ofSeconds(2);

  /** Data exceptions, and a subquery with more than one row: retrying is useless. */
  private static final Set<String> OF_DATA = Set.of("22", "21");

  private static final String TIMED_OUT = "57014";

  private final Connection connection;
  private final RecorderName recorder;
  private final Map<String, String> pieces;
  private final Sql back;
  private final Sql again;
  private final Map<EntityQuery, Sql> prepared = new HashMap<>();

  EntityReading(Connection connection, SchemaNames schemas, RecorderName recorder) {
    this.connection = connection;
    this.recorder = recorder;
    this.pieces =
        Map.of(
            "table", schemas.handoffTable(recorder),
            "settings", QueryStatement.settings(),
            "in_flight", IN_FLIGHT);
    this.back = Sql.of(BACK);
    this.again = Sql.of(AGAIN, pieces);
  }

  private static final String BACK = "ROLLBACK TO SAVEPOINT entity; RELEASE SAVEPOINT entity";

  /** In this order: what the query sees is later than what is looked for in the locks. */
  private static final String LOOK =
      """
      SAVEPOINT entity;
      SELECT {in_flight}, {settings};
      {document}
      """;

  /**
   * Whether another transaction is writing to a table whose rows find their entities in others'. It
   * has found them, or will, as they were; if this unit's requests are about a row that it has not
   * seen there, nobody would ask for this entity once it commits.
   */
  private static final String IN_FLIGHT =
      """
      EXISTS (
        SELECT FROM pg_locks l
        WHERE l.locktype = 'relation' AND l.granted
          AND l.mode IN ('RowExclusiveLock', 'AccessExclusiveLock')
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND l.pid IS DISTINCT FROM pg_backend_pid()
          AND EXISTS (SELECT FROM pg_trigger t
            WHERE t.tgrelid = l.relation AND t.tgname = :trigger AND t.tgnargs > 0))
      """;

  private static final String AGAIN =
      """
      INSERT INTO {table} (request_type, entity_id, payload, not_before)
      VALUES ('update', :entity, :payload::json,
        clock_timestamp() + :pause * interval '1 millisecond')
      """;

  /** What one look has brought; of a document that is too large for now only the size. */
  private record SeenEntity(@Nullable EntityState state, long bytes, boolean isInFlight) {}

  EntityState state(WorkUnit unit, EntityQuery query, Room room) throws InterruptedException {
    try {
      long most = Math.min(Room.SMALL, query.mostBytes());
      for (int look = 0; look < MOST_LOOKS; look++) {
        SeenEntity seen = look(unit, query, most);
        EntityState state = seen.state();
        if (state != null) {
          if (seen.isInFlight() && isOfUse(state)) {
            followUp(unit);
          }
          return state;
        }
        if (seen.bytes() > query.mostBytes()) {
          return new EntityState.Unfit(
              "the document would have %d bytes, the limit is %d (max_payload)"
                  .formatted(seen.bytes(), query.mostBytes()));
        }
        most = Math.min(seen.bytes() + seen.bytes() / 4, query.mostBytes());
        if (!room.forDocument(most)) {
          return new EntityState.NoMemory();
        }
      }
      return new EntityState.NotNow("the document grew again while memory was found for it");
    } catch (SQLException e) {
      throw lost(e);
    }
  }

  private static boolean isOfUse(EntityState state) {
    return state instanceof EntityState.There || state instanceof EntityState.Gone;
  }

  private SeenEntity look(WorkUnit unit, EntityQuery query, long most) throws SQLException {
    int patience = connection.getNetworkTimeout();
    connection.setNetworkTimeout(
        Runnable::run, Math.toIntExact(query.limit().plus(LATER).toMillis()));
    try {
      SeenEntity seen = ask(unit, query, most);
      goBack();
      return seen;
    } catch (SQLException e) {
      if (!SqlStates.sessionSurvives(e)) {
        throw e;
      }
      goBack();
      return new SeenEntity(failure(e, query), 0, false);
    } finally {
      connection.setNetworkTimeout(Runnable::run, patience);
    }
  }

  private SeenEntity ask(WorkUnit unit, EntityQuery query, long most) throws SQLException {
    try (SqlStatement statement = statement(query).on(connection)) {
      PreparedStatement several =
          statement
              .set("trigger", CaptureTriggerNames.name(recorder, "update"))
              .set("timeout", Long.toString(limit(query)))
              .set("most", most)
              .setUntyped(QueryText.ENTITY, unit.entity())
              .complete();
      boolean hasRows = several.execute();
      while (!hasRows) {
        hasRows = several.getMoreResults();
      }
      boolean inFlight;
      try (ResultSet row = several.getResultSet()) {
        row.next();
        inFlight = row.getBoolean(1);
      }
      several.getMoreResults();
      try (ResultSet row = several.getResultSet()) {
        row.next();
        long bytes = row.getLong(1);
        return new SeenEntity(QueryStatement.state(row).orElse(null), bytes, inFlight);
      }
    }
  }

  /** What kind of document it yields is asked once for each session. */
  private Sql statement(EntityQuery query) throws SQLException {
    Sql known = prepared.get(query);
    if (known != null) {
      return known;
    }
    Sql made;
    try (var savepoint = connection.createStatement()) {
      savepoint.execute("SAVEPOINT entity");
      Map<String, String> all = new HashMap<>(pieces);
      all.put("document", QueryStatement.document(connection, query));
      made = Sql.of(LOOK, all);
      savepoint.execute("RELEASE SAVEPOINT entity");
    }
    prepared.put(query, made);
    return made;
  }

  private void goBack() throws SQLException {
    try (SqlStatement statement = back.on(connection)) {
      statement.complete().execute();
    }
  }

  private static EntityState failure(SQLException e, EntityQuery query) {
    String state = String.valueOf(e.getSQLState());
    String why = "the query failed: " + QueryStatement.describe(e);
    if (OF_DATA.contains(state.substring(0, 2))) {
      return new EntityState.Unfit(why);
    } else if (state.equals(TIMED_OUT)) {
      return new EntityState.NotNow(
          why + "; it may take %d ms, nine tenths of handler_timeout".formatted(limit(query)));
    }
    return new EntityState.NotNow(why);
  }

  private static long limit(EntityQuery query) {
    return query.limit().toMillis();
  }

  private void followUp(WorkUnit unit) throws SQLException {
    LookAgain next = LookAgain.after(unit);
    try (SqlStatement statement = again.on(connection)) {
      statement
          .set("entity", unit.entity())
          .set("payload", next.payload())
          .set("pause", next.pause().toMillis())
          .update();
    }
  }

  private DatabaseException lost(SQLException e) {
    SqlConnections.abort(connection);
    return new DatabaseException(
        SqlStates.sessionSurvives(e) ? SqlStates.kindOf(e) : DatabaseErrorKind.UNREACHABLE,
        SqlStates.describe(e),
        e);
  }
}
