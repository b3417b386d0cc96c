package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.EntityState;
import dev.recorder.requests.FollowUpRequest;
import dev.recorder.requests.MemoryReservation;
import dev.recorder.requests.WorkUnit;
import dev.recorder.schema.CaptureTriggerNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs users' queries for a unit on a second session, since a query must not touch the session with
 * the unit's locks.
 *
 * <p>A query uses the snapshot of the session with the locks, taken after the locks. So it sees the
 * changes to which the unit's requests refer. It also reaches the same database, although the
 * database behind a name may change. The answer is used only if the session with the locks still
 * exists after the query, so that no later unit of the entity can have begun.
 *
 * <p>For the session's thread; {@link #abort} is for any.
 */
final class EntityQueryRunner {
  /** The most reads of a document that has outgrown its reserved memory. */
  private static final int MOST_LOOKS = 4;

  private final Connection connection;
  private final Sessions sessions;
  private final RecorderName recorder;
  private final Sql inFlight;
  private final Sql again;
  private volatile @Nullable QuerySession queries;
  private volatile boolean isEnded;

  EntityQueryRunner(Connection connection, Sessions sessions, RecorderName recorder) {
    this.connection = connection;
    this.sessions = sessions;
    this.recorder = recorder;
    this.inFlight = Sql.of(IN_FLIGHT);
    this.again = Sql.of(AGAIN, Map.of("table", sessions.schemas().handoffTable(recorder)));
  }

  /**
   * Whether another transaction is writing to a table whose rows find their entities in other
   * tables. That transaction finds its entities in an older state. If this unit's requests are
   * about a row that it did not see, no request for this entity follows its commit. This is checked
   * before the query, so that the query sees all later commits.
   */
  private static final String IN_FLIGHT =
      """
      SELECT EXISTS (
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

  EntityState state(WorkUnit unit, EntityQuery query, MemoryReservation room)
      throws InterruptedException {
    long most = Math.min(MemoryReservation.SMALL, query.mostBytes());
    for (int look = 0; look < MOST_LOOKS; look++) {
      boolean isInFlight = isInFlight();
      QuerySession.QueryAnswer seen = read(query, unit, most);
      ask(ALIVE);
      EntityState state = seen.state();
      if (state != null) {
        if (isInFlight && isOfUse(state)) {
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
  }

  private static boolean isOfUse(EntityState state) {
    return state instanceof EntityState.EntityFound || state instanceof EntityState.Gone;
  }

  private QuerySession session() {
    QuerySession open = queries;
    if (open != null && open.isOpen()) {
      return open;
    }
    try {
      QuerySession opened = QuerySession.open(sessions);
      queries = opened;
      if (isEnded) {
        opened.close();
      }
      return opened;
    } catch (DatabaseException e) {
      SqlConnections.abort(connection);
      throw e;
    }
  }

  private static final Sql EXPORT = Sql.of("SELECT pg_export_snapshot()");

  private QuerySession.QueryAnswer read(EntityQuery query, WorkUnit unit, long most) {
    QuerySession session = session();
    try (SqlStatement statement = EXPORT.on(connection)) {
      String snapshot = statement.first(row -> row.getString(1)).orElse("");
      return session.read(query, unit.entity(), most, snapshot);
    } catch (SQLException e) {
      throw lost(e);
    }
  }

  private static final Sql ALIVE = Sql.of("SELECT true");

  private boolean isInFlight() {
    try (SqlStatement statement = inFlight.on(connection)) {
      return statement.set("trigger", CaptureTriggerNames.name(recorder, "update")).truth();
    } catch (SQLException e) {
      throw lost(e);
    }
  }

  private void ask(Sql sql) {
    try (SqlStatement statement = sql.on(connection)) {
      statement.truth();
    } catch (SQLException e) {
      throw lost(e);
    }
  }

  private void followUp(WorkUnit unit) {
    FollowUpRequest next = FollowUpRequest.after(unit);
    try (SqlStatement statement = again.on(connection)) {
      statement
          .set("entity", unit.entity())
          .set("payload", next.payload())
          .set("pause", next.pause().toMillis())
          .update();
    } catch (SQLException e) {
      throw lost(e);
    }
  }

  /** Ends both sessions, from any thread. */
  void abort() {
    isEnded = true;
    QuerySession open = queries;
    if (open != null) {
      open.close();
    }
    SqlConnections.abort(connection);
  }

  private DatabaseException lost(SQLException e) {
    SqlConnections.abort(connection);
    return new DatabaseException(
        SqlStates.sessionSurvives(e) ? SqlStates.kindOf(e) : DatabaseErrorKind.UNREACHABLE,
        SqlStates.describe(e),
        e);
  }
}
