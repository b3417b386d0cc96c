package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.Sql;
import dev.recorder.postgres.SqlArrays;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.SqlFunction;
import dev.recorder.postgres.SqlStatement;
import dev.recorder.postgres.SqlStates;
import dev.recorder.requests.Attempt;
import dev.recorder.requests.Claim;
import dev.recorder.requests.Prefetched;
import dev.recorder.requests.RequestQueue;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.Room;
import dev.recorder.requests.Verdict;
import dev.recorder.requests.WorkUnit;
import dev.recorder.schema.RequestTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The session of one worker of requests: opened at once, closed after the first failure, since what
 * it held is then somebody else's. One thread at a time; {@link #abort} is for any.
 */
public final class RequestSession implements RequestQueue, AutoCloseable {
  /** After an answer that was lost, so many rows are looked at for what may have been begun. */
  private static final int MOST_DISOWNED = 10_000;

  /** In characters. */
  private static final int LONGEST_TEXT = 10_000;

  private final Connection connection;
  private final RecorderName recorder;
  private final String machine;
  private final long seed;
  private final RequestStatements sql;

  private RequestSession(
      Connection connection, Sessions sessions, RecorderName recorder, int lockId) {
    this.connection = connection;
    this.recorder = recorder;
    this.machine = sessions.machine();
    this.seed = sessions.schemas().entityLockSeed(lockId);
    this.sql = new RequestStatements(sessions.schemas(), recorder);
  }

  /**
   * Opens a session.
   *
   * @param unitLimit how long a unit may take; the server ends a transaction that is silent longer
   * @throws DatabaseException if it cannot be opened
   */
  public static RequestSession open(
      Sessions sessions, RecorderName recorder, int lockId, Duration unitLimit) {
    return new RequestSession(sessions.openWorker(unitLimit), sessions, recorder, lockId);
  }

  @Override
  public Claim claim(UUID process, long line, Collection<String> passedOver, boolean poisonToo) {
    return claimed(
        poisonToo ? sql.claimPoisonToo : sql.claim,
        statement -> ClaimStatement.run(statement, process, line, passedOver, machine, seed));
  }

  @Override
  public Claim claim(UUID process, Prefetched prefetched) {
    return claimed(
        sql.claimPrefetched,
        statement -> PrefetchStatement.run(statement, prefetched, process, machine, seed));
  }

  @Override
  public Claim settleAndClaim(
      Claim.Begun begun, WorkUnit unit, UUID process, long line, Collection<String> passedOver) {
    return claimed(
        sql.completeAndClaim,
        statement -> {
          complete(statement, begun, unit.ids());
          return ClaimStatement.run(statement, process, line, passedOver, machine, seed);
        });
  }

  @Override
  public Claim settleAndClaim(
      Claim.Begun begun, WorkUnit unit, UUID process, Prefetched prefetched) {
    return claimed(
        sql.completeAndClaimPrefetched,
        statement -> {
          complete(statement, begun, unit.ids());
          return PrefetchStatement.run(statement, prefetched, process, machine, seed);
        });
  }

  private Claim claimed(Sql text, SqlFunction<SqlStatement, ClaimStatement.Answer> work) {
    ClaimStatement.Answer answer = run(text, work);
    if (!answer.lockedInVain().isEmpty()) {
      run(sql.unlock, statement -> letGo(statement, answer.lockedInVain()).query());
    }
    return answer.claim();
  }

  @Override
  public Optional<WorkUnit> lock(Claim.Begun begun, Room room) throws InterruptedException {
    LockedUnit locked = lock(begun);
    if (locked.isLarge() && locked.mayGoOn(begun)) {
      if (!room.forPayloads(locked.bytes())) {
        return Optional.empty();
      }
      readPayloads(locked);
    }
    return locked.unit(recorder, begun);
  }

  private LockedUnit lock(Claim.Begun begun) {
    long id = begun.id();
    String entity = begun.entity();
    if (begun.type() == RequestType.CREATE) {
      return run(sql.lockCreate, statement -> LockedUnit.lock(statement.set("id", id), begun));
    } else if (begun.mayBePoison() || !RequestTable.isIndexable(entity)) {
      return run(
          sql.lockOne,
          statement -> LockedUnit.lock(statement.set("id", id).set("entity", entity), begun));
    }
    return run(
        sql.lockUpdates, statement -> LockedUnit.lock(statement.set("entity", entity), begun));
  }

  private void readPayloads(LockedUnit locked) {
    if (!locked.withoutPayload().isEmpty()) {
      run(
          sql.payloads,
          statement -> {
            ResultSet row = statement.set("ids", SqlArrays.of(locked.withoutPayload())).query();
            while (row.next()) {
              locked.put(row.getLong(1), row.getString(2));
            }
            return locked;
          });
    }
  }

  @Override
  public void settle(Claim.Begun begun, WorkUnit unit, Verdict.Settled verdict) {
    List<Long> failed = List.copyOf(verdict.failed().keySet());
    boolean plain = failed.isEmpty() && verdict.complete().contains(begun.id());
    run(
        plain ? sql.completeAll : sql.settle,
        statement -> {
          complete(statement, begun, verdict.complete());
          if (!plain) {
            String[] texts =
                failed.stream().map(id -> text(verdict.failed().get(id))).toArray(String[]::new);
            statement.setArray("texts", "text", texts).set("failed", SqlArrays.of(failed));
            disown(statement, Attempt.at(begun));
          }
          return RequestStatements.rows(statement);
        });
  }

  @Override
  public List<Prefetched> lookAhead(long line, int most) {
    return run(sql.lookAhead, statement -> PrefetchStatement.look(statement, line, most));
  }

  @Override
  public void settleFound(Claim.Begun begun, WorkUnit unit, Verdict.Found verdict) {
    run(
        sql.settleFound,
        statement -> {
          complete(statement, begun, verdict.applied());
          return RequestStatements.rows(disown(statement, Attempt.at(begun)));
        });
  }

  private void complete(SqlStatement statement, Claim.Begun begun, Collection<Long> ids)
      throws SQLException {
    letGo(statement, begun.entity())
        .set("process", begun.process().toString())
        .set("begun", begun.id())
        .set("complete", SqlArrays.of(ids));
  }

  @Override
  public int postpone(
      Claim.Begun begun, WorkUnit unit, String why, Duration pause, int maxAttempts) {
    return run(
        sql.postpone,
        statement -> {
          letGo(statement, begun.entity())
              .set("begun", begun.id())
              .set("most", maxAttempts)
              .set("process", begun.process().toString())
              .set("why", text(why))
              .set("pause", pause.toMillis())
              .set("ids", SqlArrays.of(unit.ids()));
          int errors = 0;
          ResultSet row = RequestStatements.rows(statement);
          while (row.next()) {
            errors += row.getString(1).equals(RequestStatus.ERROR.word()) ? 1 : 0;
          }
          return errors;
        });
  }

  @Override
  public boolean takeBack(Claim.Begun begun) {
    return run(
        sql.takeBack,
        statement -> !isTrue(disown(letGo(statement, begun.entity()), Attempt.at(begun))));
  }

  @Override
  public boolean disown(Attempt attempt) {
    return run(sql.disown, statement -> !isTrue(disown(statement, attempt)));
  }

  private static boolean isTrue(SqlStatement statement) throws SQLException {
    ResultSet row = RequestStatements.rows(statement);
    return row.next() && row.getBoolean(1);
  }

  private SqlStatement disown(SqlStatement statement, Attempt attempt) throws SQLException {
    return statement
        .set("line", attempt.line())
        .set("looks", attempt.known() ? 1 : MOST_DISOWNED)
        .set("machine", machine)
        .set("process", attempt.process().toString());
  }

  @Override
  public Map<Long, RequestStatus> of(Collection<Long> ids) {
    return run(
        sql.statuses,
        statement -> {
          Map<Long, RequestStatus> statuses = new HashMap<>();
          ResultSet row = statement.set("ids", SqlArrays.of(ids)).query();
          while (row.next()) {
            statuses.put(row.getLong(1), RequestStatus.of(row.getString(2)));
          }
          return statuses;
        });
  }

  private SqlStatement letGo(SqlStatement statement, String entity) throws SQLException {
    return statement.set("entity", entity).set("seed", seed);
  }

  /** What a column can hold, and somebody may want to read: messages may quote a whole payload. */
  private static String text(@Nullable String why) {
    String given = String.valueOf(why);
    return given.substring(0, Math.min(given.length(), LONGEST_TEXT)).replace('\0', ' ');
  }

  /** Ends the session, from any thread; work under way on it fails at once. */
  public void abort() {
    SqlConnections.abort(connection);
  }

  @Override
  public void close() {
    abort();
  }

  private <T> T run(Sql text, SqlFunction<SqlStatement, T> work) {
    try (SqlStatement statement = text.on(connection)) {
      return work.apply(statement);
    } catch (SQLException e) {
      abort();
      throw new DatabaseException(
          SqlStates.sessionSurvives(e) ? SqlStates.kindOf(e) : Kind.UNREACHABLE,
          SqlStates.describe(e),
          e);
    }
  }
}
