package dev.recorder.requests.postgres;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.requests.Attempt;
import dev.recorder.requests.Claim;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.EntityState;
import dev.recorder.requests.MemoryReservation;
import dev.recorder.requests.Prefetched;
import dev.recorder.requests.RequestMark;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.WorkUnit;
import dev.recorder.schema.HandoffTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A worker's session on a table of requests; it is opened at once, and closed after the first
 * failure. One thread at a time; {@link #abort} is for any.
 *
 * <p>A claim that has begun an attempt gives the entity to this worker, until {@link #settle},
 * {@link #settleAndClaim}, {@link #settleFound}, {@link #postpone} or {@link #takeBack}. An
 * exception means that the session is lost, and the entity with it. Claimed and requested attempts
 * must then be {@linkplain #disown disowned} on another session.
 */
public final class RequestSession implements UnitWorker.Statuses, AutoCloseable {
  private final PinnedSession opened;
  private final RecorderName recorder;
  private final EntityQueryRunner reading;
  private final WorkerParameters parameters;
  private final RequestStatements sql;

  private RequestSession(
      PinnedSession opened, Sessions sessions, RecorderName recorder, int lockId) {
    this.opened = opened;
    this.recorder = recorder;
    this.reading = new EntityQueryRunner(opened.connection(), sessions, recorder);
    this.parameters =
        new WorkerParameters(sessions.machine(), sessions.schemas().entityLockSeed(lockId));
    this.sql = new RequestStatements(sessions.schemas(), recorder);
  }

  /**
   * Opens a session; the server ends a transaction that is idle for longer than {@code unitLimit}.
   *
   * @throws DatabaseException if it cannot be opened, or the recorder is pinned to another database
   */
  public static RequestSession open(
      Sessions sessions, RecorderName recorder, int lockId, Duration unitLimit) {
    return new RequestSession(
        PinnedSession.open(sessions, recorder, lockId, unitLimit), sessions, recorder, lockId);
  }

  @Override
  public List<DatabaseIdentity> databases() {
    return opened.databases();
  }

  /**
   * Claims the first row above the line whose entity is free: no other worker has the entity, its
   * create is settled, and no earlier request of it waits.
   *
   * @param process names the attempt, and the unit that it may become
   * @param passedOver entities to skip
   * @param poisonToo whether to also claim possible poison messages
   */
  public Claim claim(UUID process, long line, Collection<String> passedOver, boolean poisonToo) {
    return claimed(
        poisonToo ? sql.claimPoisonToo : sql.claim,
        statement -> ClaimStatement.run(statement, process, line, passedOver, parameters));
  }

  /** Claims this row. */
  public Claim claim(UUID process, Prefetched prefetched) {
    return claimed(
        sql.claimPrefetched,
        statement -> PrefetchStatement.run(statement, prefetched, process, parameters));
  }

  /**
   * Settles the whole unit as complete, makes the next claim in the same transaction, commits, and
   * unlocks the entity. Does not claim possible poison messages.
   */
  public Claim settleAndClaim(
      Claim.Begun begun, WorkUnit unit, UUID process, long line, Collection<String> passedOver) {
    return claimed(
        sql.completeAndClaim,
        statement -> {
          parameters.complete(statement, begun, unit.ids());
          return ClaimStatement.run(statement, process, line, passedOver, parameters);
        });
  }

  /** As the other {@code settleAndClaim}, with a claim of this row. */
  public Claim settleAndClaim(
      Claim.Begun begun, WorkUnit unit, UUID process, Prefetched prefetched) {
    return claimed(
        sql.completeAndClaimPrefetched,
        statement -> {
          parameters.complete(statement, begun, unit.ids());
          return PrefetchStatement.run(statement, prefetched, process, parameters);
        });
  }

  private Claim claimed(Sql text, SqlFunction<SqlStatement, ClaimStatement.ClaimAttempt> work) {
    var answer = run(text, work);
    if (!answer.lockedInVain().isEmpty()) {
      run(sql.unlock, statement -> parameters.letGo(statement, answer.lockedInVain()).query());
    }
    return answer.claim();
  }

  /**
   * Locks and reads the unit of {@code begun}: its create, or the outstanding updates of its
   * entity, or the request alone if it may be a poison message.
   *
   * @param room reserves memory before large payloads are read
   * @return empty if another session holds one of the rows, the create is not settled, or no memory
   *     was free; the caller must then {@link #takeBack}
   */
  public Optional<WorkUnit> lock(Claim.Begun begun, MemoryReservation room)
      throws InterruptedException {
    LockedUnit locked = lock(begun);
    if (locked.isLarge() && locked.mayGoOn(begun)) {
      if (!room.forPayloads(locked.bytes())) {
        return Optional.empty();
      }
      if (locked.lacksPayloads()) {
        run(sql.payloads, locked::readPayloads);
      }
    }
    return locked.unit(recorder, begun);
  }

  private LockedUnit lock(Claim.Begun begun) {
    long id = begun.id();
    String entity = begun.entity();
    if (begun.type() == RequestType.CREATE) {
      return run(sql.lockCreate, one -> LockedUnit.lock(one.set("id", id), begun));
    } else if (begun.mayBePoison() || !HandoffTable.isIndexable(entity)) {
      return run(
          sql.lockOne, one -> LockedUnit.lock(one.set("id", id).set("entity", entity), begun));
    }
    return run(sql.lockUpdates, all -> LockedUnit.lock(all.set("entity", entity), begun));
  }

  /** Settles the requests that the verdict names, commits, and unlocks the entity. */
  public void settle(Claim.Begun begun, WorkUnit unit, UnitVerdict.RequestsSettled verdict) {
    List<Long> failed = List.copyOf(verdict.failed().keySet());
    boolean plain = failed.isEmpty() && verdict.complete().contains(begun.id());
    run(
        plain ? sql.completeAll : sql.settle,
        statement -> {
          parameters.complete(statement, begun, verdict.complete());
          if (!plain) {
            String[] texts =
                failed.stream()
                    .map(id -> WorkerParameters.text(verdict.failed().get(id)))
                    .toArray(String[]::new);
            statement.setArray("texts", "text", texts).set("failed", SqlArrays.of(failed));
            parameters.disown(statement, Attempt.at(begun));
          }
          return RequestStatements.rows(statement);
        });
  }

  /**
   * Returns the first creates above the line that could be claimed now, up to the first row of
   * another kind.
   *
   * @param most how many rows are looked at
   */
  public List<Prefetched> lookAhead(long line, int most) {
    return run(sql.lookAhead, statement -> PrefetchStatement.look(statement, line, most));
  }

  /**
   * Settles requests that had taken effect earlier, takes the attempt back, and unlocks the entity.
   */
  public void settleFound(Claim.Begun begun, WorkUnit unit, UnitVerdict.AppliedEarlier verdict) {
    run(
        sql.settleFound,
        statement -> {
          parameters.complete(statement, begun, verdict.applied());
          return RequestStatements.rows(parameters.disown(statement, Attempt.at(begun)));
        });
  }

  /**
   * Rolls back, and records a failed attempt for each request of the unit. Requests with {@code
   * maxAttempts} attempts become errors.
   *
   * @param pause before the entity's next attempt
   * @return how many requests became errors
   */
  public int postpone(
      Claim.Begun begun, WorkUnit unit, String why, Duration pause, int maxAttempts) {
    return run(
        sql.postpone,
        statement -> {
          parameters
              .letGo(statement, begun.entity())
              .set("begun", begun.id())
              .set("most", maxAttempts)
              .set("process", begun.process().toString())
              .set("why", WorkerParameters.text(why))
              .set("pause", pause.toMillis())
              .set("ids", SqlArrays.of(unit.ids()));
          int errors = 0;
          for (ResultSet row = RequestStatements.rows(statement); row.next(); ) {
            errors += row.getString(1).equals(RequestStatus.ERROR.word()) ? 1 : 0;
          }
          return errors;
        });
  }

  /**
   * Rolls back and undoes the claim.
   *
   * @return false if another session holds the row, so that {@link #disown} must do it
   */
  public boolean takeBack(Claim.Begun begun) {
    return run(
        sql.takeBack,
        statement ->
            !isTrue(
                parameters.disown(parameters.letGo(statement, begun.entity()), Attempt.at(begun))));
  }

  /**
   * Undoes an attempt of a lost session. The request did not cause the loss, so the attempt does
   * not count, and no worker has died. No effect if the attempt was settled, or others have taken
   * the row.
   *
   * @return false if another session holds the row, and the call must be repeated
   */
  public boolean disown(Attempt attempt) {
    return run(sql.disown, statement -> !isTrue(parameters.disown(statement, attempt)));
  }

  private static boolean isTrue(SqlStatement update) throws SQLException {
    ResultSet row = RequestStatements.rows(update);
    return row.next() && row.getBoolean(1);
  }

  @Override
  public Map<Long, RequestMark> of(String entity, Collection<Long> ids) {
    return run(
        sql.statuses,
        statement -> {
          statement.set("ids", SqlArrays.of(ids)).set("entity", entity);
          Map<Long, RequestMark> found = new HashMap<>();
          for (ResultSet row = statement.query(); row.next(); ) {
            found.put(
                row.getLong(1),
                new RequestMark(RequestStatus.of(row.getString(2)), row.getLong(3)));
          }
          return found;
        });
  }

  @Override
  public EntityState state(WorkUnit unit, EntityQuery query, MemoryReservation room)
      throws InterruptedException {
    return reading.state(unit, query, room);
  }

  /** Ends the session, from any thread; running work fails at once. */
  public void abort() {
    reading.abort();
  }

  @Override
  public void close() {
    abort();
  }

  private <T> T run(Sql text, SqlFunction<SqlStatement, T> work) {
    try (SqlStatement statement = text.on(opened.connection())) {
      return work.apply(statement);
    } catch (SQLException e) {
      abort();
      throw new DatabaseException(
          SqlStates.sessionSurvives(e) ? SqlStates.kindOf(e) : DatabaseErrorKind.UNREACHABLE,
          SqlStates.describe(e),
          e);
    }
  }
}
