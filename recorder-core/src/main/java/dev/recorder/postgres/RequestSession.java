package dev.recorder.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.requests.Claim;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestQueue;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.Verdict;
import dev.recorder.requests.WorkUnit;
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
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The session of one worker of requests: opened at once, closed after the first failure, since what
 * it held is then somebody else's. One thread at a time; {@link #abort} is for any.
 */
public final class RequestSession implements RequestQueue, AutoCloseable {
  private static final String LOCK_NOT_AVAILABLE = "55P03";

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
  public Claim claim(long line, Collection<String> passedOver, boolean maySuspect) {
    return run(
        sql.claim(maySuspect),
        statement -> {
          statement.setLong(1, line);
          statement.setArray(2, connection.createArrayOf("text", passedOver.toArray()));
          statement.setBoolean(3, maySuspect);
          statement.setString(4, machine);
          statement.setLong(5, seed);
          statement.setBoolean(6, maySuspect);
          statement.setString(7, machine);
          statement.setString(8, machine);
          try (ResultSet row = statement.executeQuery()) {
            return row.next() ? claim(row) : new Claim.Nothing();
          }
        });
  }

  private Claim claim(ResultSet row) throws SQLException {
    long id = row.getLong(1);
    String entity = row.getString(2);
    if (entity == null) {
      return new Claim.PassedOver(id, Set.of((String[]) row.getArray(7).getArray()));
    } else if (row.getString(6) == null) {
      unlock(entity); // Settled, put off or locked by others since it was looked at.
      return new Claim.PassedOver(id, Set.of());
    }
    return new Claim.Begun(
        id,
        entity,
        RequestType.of(row.getString(3)),
        row.getInt(4),
        row.getInt(5),
        row.getString(6));
  }

  private void unlock(String entity) {
    run(
        sql.unlock(),
        statement -> {
          statement.setString(1, entity);
          statement.setLong(2, seed);
          return statement.execute();
        });
  }

  @Override
  public Optional<WorkUnit> lock(Claim.Begun begun, UUID process) {
    boolean alone =
        begun.isSuspect()
            || begun.type() == RequestType.CREATE
            || !RequestTable.isIndexable(begun.entity());
    return run(
        alone ? sql.lockOne() : sql.lockUpdates(),
        statement -> {
          if (alone) {
            statement.setLong(1, begun.id());
            statement.setString(2, begun.entity());
          } else {
            for (int p = 1; p <= 3; p++) {
              statement.setString(p, begun.entity());
            }
          }
          try (ResultSet rows = rows(statement)) {
            return unit(begun, process, rows);
          } catch (SQLException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
              return Optional.empty();
            }
            throw e;
          }
        });
  }

  private Optional<WorkUnit> unit(Claim.Begun begun, UUID process, ResultSet row)
      throws SQLException {
    List<Request> requests = new ArrayList<>();
    long fence = 0;
    boolean mayGoOn = true;
    while (row.next()) {
      long id = row.getLong(1);
      RequestType type = RequestType.of(row.getString(2));
      boolean open = !RequestStatus.of(row.getString(3)).isSettled();
      fence = Long.parseLong(row.getString(6));
      if (type == RequestType.CREATE && begun.type() == RequestType.UPDATE) {
        mayGoOn &= !open;
      } else if (open && (type == RequestType.UPDATE || id == begun.id())) {
        int attempts = row.getInt(5) - (id == begun.id() ? 1 : 0);
        requests.add(new Request(id, type, row.getString(4), attempts));
      }
    }
    mayGoOn &= requests.stream().anyMatch(request -> request.id() == begun.id());
    return mayGoOn
        ? Optional.of(new WorkUnit(recorder, begun.entity(), process, fence, requests))
        : Optional.empty();
  }

  @Override
  public void settle(Claim.Begun begun, WorkUnit unit, Verdict.Settled verdict) {
    List<Long> failed = List.copyOf(verdict.failed().keySet());
    boolean allComplete = failed.isEmpty() && verdict.complete().contains(begun.id());
    run(
        sql.complete("'new'") + (allComplete ? "" : sql.fail() + sql.disown()) + sql.letGo(),
        statement -> {
          int p = settle(statement, 0, begun, unit, verdict.complete());
          if (!allComplete) {
            String[] texts =
                failed.stream().map(id -> text(verdict.failed().get(id))).toArray(String[]::new);
            statement.setArray(++p, connection.createArrayOf("text", texts));
            statement.setString(++p, array(failed));
            p = identify(statement, begun, settle(statement, p, begun, unit, failed));
          }
          return letGo(statement, begun, p);
        });
  }

  @Override
  public void settleFound(Claim.Begun begun, WorkUnit unit, Verdict.Found verdict) {
    run(
        sql.complete("'new', 'error'") + sql.disown() + sql.letGo(),
        statement -> {
          int p = settle(statement, 0, begun, unit, verdict.applied());
          return letGo(statement, begun, identify(statement, begun, p));
        });
  }

  private static int settle(
      PreparedStatement statement, int p, Claim.Begun begun, WorkUnit unit, Collection<Long> ids)
      throws SQLException {
    statement.setString(p + 1, unit.process().toString());
    statement.setLong(p + 2, begun.id());
    statement.setString(p + 3, array(ids));
    return p + 3;
  }

  @Override
  public int postpone(
      Claim.Begun begun, WorkUnit unit, String why, Duration pause, int maxAttempts) {
    return run(
        sql.rollBack() + sql.postpone() + sql.letGo(),
        statement -> {
          statement.setLong(1, begun.id());
          statement.setInt(2, maxAttempts);
          statement.setString(3, unit.process().toString());
          statement.setString(4, text(why));
          statement.setLong(5, pause.toMillis());
          statement.setString(6, array(unit.ids()));
          letGoParameters(statement, begun, 6);
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
  public void takeBack(Claim.Begun begun) {
    run(
        sql.rollBack() + sql.disown() + sql.letGo(),
        statement -> letGo(statement, begun, identify(statement, begun, 0)));
  }

  @Override
  public void disown(Claim.Begun begun) {
    run(
        sql.disown(),
        statement -> {
          identify(statement, begun, 0);
          return statement.executeUpdate();
        });
  }

  @Override
  public Map<Long, RequestStatus> of(Collection<Long> ids) {
    return run(
        sql.statuses(),
        statement -> {
          statement.setString(1, array(ids));
          Map<Long, RequestStatus> statuses = new HashMap<>();
          try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
              statuses.put(row.getLong(1), RequestStatus.of(row.getString(2)));
            }
          }
          return statuses;
        });
  }

  private int identify(PreparedStatement statement, Claim.Begun begun, int p) throws SQLException {
    statement.setLong(p + 1, begun.id());
    statement.setString(p + 2, machine);
    statement.setString(p + 3, begun.token());
    return p + 3;
  }

  private boolean letGo(PreparedStatement statement, Claim.Begun begun, int p) throws SQLException {
    letGoParameters(statement, begun, p);
    return statement.execute();
  }

  private void letGoParameters(PreparedStatement statement, Claim.Begun begun, int p)
      throws SQLException {
    statement.setString(p + 1, begun.entity());
    statement.setLong(p + 2, seed);
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

  private static String array(Collection<Long> ids) {
    StringBuilder array = new StringBuilder("{");
    ids.forEach(id -> array.append(array.length() == 1 ? "" : ",").append(id));
    return array.append('}').toString();
  }

  /** Ends the session, from any thread; work under way on it fails at once. */
  public void abort() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException gone) {
      // What cannot be aborted is gone already.
    }
  }

  @Override
  public void close() {
    abort();
  }

  /** Work that may fail as the driver does. */
  @FunctionalInterface
  private interface SqlWork<T> {
    T on(PreparedStatement statement) throws SQLException;
  }

  private <T> T run(String text, SqlWork<T> work) {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      return work.on(statement);
    } catch (SQLException e) {
      abort();
      throw new DatabaseException(
          SqlStates.sessionSurvives(e) ? SqlStates.kindOf(e) : Kind.UNREACHABLE,
          SqlStates.describe(e),
          e);
    }
  }
}
