package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlAction;
import dev.recorder.postgres.SqlArrays;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.SqlFunction;
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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
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
  private static final String LOCK_NOT_AVAILABLE = "55P03";

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
  public Claim claim(UUID process, long line, Collection<String> passedOver, boolean maySuspect) {
    ClaimStatement claim = maySuspect ? sql.claimSuspects : sql.claim;
    return claimed(
        run(
            claim.text(),
            statement -> {
              claim.bind(statement, 0, process, line, passedOver, machine, seed);
              try (ResultSet row = statement.executeQuery()) {
                return ClaimStatement.read(row, process);
              }
            }));
  }

  @Override
  public Claim claim(UUID process, Prefetched prefetched) {
    return claimed(
        run(
            sql.prefetch.claimAlone(),
            statement -> {
              sql.prefetch.bind(statement, 0, prefetched, process, machine, seed);
              try (ResultSet row = statement.executeQuery()) {
                return PrefetchStatement.read(row, prefetched, process);
              }
            }));
  }

  private Claim claimed(ClaimStatement.Answer answer) {
    if (!answer.lockedInVain().isEmpty()) {
      run(
          RequestStatements.UNLOCK,
          statement -> letGo(statement, answer.lockedInVain(), 0).execute());
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
    if (begun.type() == RequestType.CREATE) {
      return lock(begun, sql.lockCreate, statement -> statement.setLong(1, begun.id()));
    } else if (begun.isSuspect() || !RequestTable.isIndexable(begun.entity())) {
      return lock(
          begun,
          sql.lockOne,
          statement -> {
            statement.setLong(1, begun.id());
            statement.setString(2, begun.entity());
          });
    }
    return lock(
        begun,
        sql.lockUpdates,
        statement -> {
          for (int p = 1; p <= 4; p++) {
            statement.setString(p, begun.entity());
          }
        });
  }

  private LockedUnit lock(Claim.Begun begun, String text, SqlAction<PreparedStatement> binding) {
    return run(
        text,
        statement -> {
          binding.apply(statement);
          try (ResultSet rows = rows(statement)) {
            return LockedUnit.read(rows, begun);
          } catch (SQLException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
              return LockedUnit.NONE;
            }
            throw e;
          }
        });
  }

  private void readPayloads(LockedUnit locked) {
    if (locked.withoutPayload().isEmpty()) {
      return;
    }
    run(
        sql.payloads,
        statement -> {
          statement.setString(1, SqlArrays.of(locked.withoutPayload()));
          try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
              locked.put(row.getLong(1), row.getString(2));
            }
          }
          return locked;
        });
  }

  @Override
  public void settle(Claim.Begun begun, WorkUnit unit, Verdict.Settled verdict) {
    List<Long> failed = List.copyOf(verdict.failed().keySet());
    boolean plain = failed.isEmpty() && verdict.complete().contains(begun.id());
    run(
        plain ? sql.completeAll : sql.settle,
        statement -> {
          int p = settle(statement, 0, begun, verdict.complete());
          if (!plain) {
            String[] texts =
                failed.stream().map(id -> text(verdict.failed().get(id))).toArray(String[]::new);
            statement.setArray(++p, connection.createArrayOf("text", texts));
            statement.setString(++p, SqlArrays.of(failed));
            p = disown(statement, settle(statement, p, begun, failed), Attempt.at(begun));
          }
          return letGo(statement, begun.entity(), p).execute();
        });
  }

  @Override
  public Claim settleAndClaim(
      Claim.Begun begun, WorkUnit unit, UUID process, long line, Collection<String> passedOver) {
    return claimed(
        run(
            sql.completeAndClaim,
            statement -> {
              int p = settle(statement, 0, begun, unit.ids());
              p = sql.nextClaim.bind(statement, p, process, line, passedOver, machine, seed);
              letGo(statement, begun.entity(), p);
              try (ResultSet row = rows(statement)) {
                return ClaimStatement.read(row, process);
              }
            }));
  }

  @Override
  public Claim settleAndClaim(
      Claim.Begun begun, WorkUnit unit, UUID process, Prefetched prefetched) {
    return claimed(
        run(
            sql.completeAndClaimPrefetched,
            statement -> {
              int p = settle(statement, 0, begun, unit.ids());
              p = sql.prefetch.bind(statement, p, prefetched, process, machine, seed);
              letGo(statement, begun.entity(), p);
              try (ResultSet row = rows(statement)) {
                return PrefetchStatement.read(row, prefetched, process);
              }
            }));
  }

  @Override
  public List<Prefetched> lookAhead(long line, int most) {
    return run(
        sql.prefetch.look(),
        statement -> {
          statement.setLong(1, line);
          statement.setInt(2, most);
          List<Prefetched> found = new ArrayList<>();
          try (ResultSet row = statement.executeQuery()) {
            while (row.next() && row.getString(3).equals(RequestType.CREATE.word())) {
              found.add(new Prefetched(row.getLong(1), row.getString(2)));
            }
          }
          return found;
        });
  }

  @Override
  public void settleFound(Claim.Begun begun, WorkUnit unit, Verdict.Found verdict) {
    run(
        sql.settleFound,
        statement -> {
          int p = settle(statement, 0, begun, verdict.applied());
          p = disown(statement, p, Attempt.at(begun));
          return letGo(statement, begun.entity(), p).execute();
        });
  }

  private static int settle(
      PreparedStatement statement, int p, Claim.Begun begun, Collection<Long> ids)
      throws SQLException {
    statement.setString(p + 1, begun.process().toString());
    statement.setLong(p + 2, begun.id());
    statement.setString(p + 3, SqlArrays.of(ids));
    return p + 3;
  }

  @Override
  public int postpone(
      Claim.Begun begun, WorkUnit unit, String why, Duration pause, int maxAttempts) {
    return run(
        sql.postpone,
        statement -> {
          statement.setLong(1, begun.id());
          statement.setInt(2, maxAttempts);
          statement.setString(3, begun.process().toString());
          statement.setString(4, text(why));
          statement.setLong(5, pause.toMillis());
          statement.setString(6, SqlArrays.of(unit.ids()));
          letGo(statement, begun.entity(), 6);
          int errors = 0;
          try (ResultSet row = rows(statement)) {
            while (row.next()) {
              errors += row.getString(1).equals(RequestStatus.ERROR.word()) ? 1 : 0;
            }
          }
          return errors;
        });
  }

  @Override
  public boolean takeBack(Claim.Begun begun) {
    return run(
        sql.takeBack,
        statement -> {
          letGo(statement, begun.entity(), disown(statement, 0, Attempt.at(begun)));
          return !isTrue(statement);
        });
  }

  @Override
  public boolean disown(Attempt attempt) {
    return run(
        sql.disown,
        statement -> {
          disown(statement, 0, attempt);
          return !isTrue(statement);
        });
  }

  private static boolean isTrue(PreparedStatement statement) throws SQLException {
    try (ResultSet row = rows(statement)) {
      return row.next() && row.getBoolean(1);
    }
  }

  private int disown(PreparedStatement statement, int p, Attempt attempt) throws SQLException {
    statement.setLong(p + 1, attempt.line());
    statement.setInt(p + 2, attempt.known() ? 1 : MOST_DISOWNED);
    statement.setString(p + 3, machine);
    statement.setString(p + 4, attempt.process().toString());
    return p + 4;
  }

  @Override
  public Map<Long, RequestStatus> of(Collection<Long> ids) {
    return run(
        sql.statuses,
        statement -> {
          statement.setString(1, SqlArrays.of(ids));
          Map<Long, RequestStatus> statuses = new HashMap<>();
          try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
              statuses.put(row.getLong(1), RequestStatus.of(row.getString(2)));
            }
          }
          return statuses;
        });
  }

  private PreparedStatement letGo(PreparedStatement statement, String entity, int p)
      throws SQLException {
    statement.setString(p + 1, entity);
    statement.setLong(p + 2, seed);
    return statement;
  }

  /** Executes several statements of which the first that has any gives the rows. */
  private static ResultSet rows(PreparedStatement statement) throws SQLException {
    boolean hasRows = statement.execute();
    while (!hasRows) {
      hasRows = statement.getMoreResults();
    }
    return statement.getResultSet();
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

  private <T> T run(String text, SqlFunction<PreparedStatement, T> work) {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
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
