package dev.recorder.requests.postgres;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlFunction;
import dev.recorder.postgres.SqlStates;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An operator's hands on the requests of one recorder, on the session of an {@code Inspection}. Not
 * thread-safe. Its methods throw {@link DatabaseException}.
 */
public final class RequestDesk {
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String DATA_EXCEPTION = "22";
  private static final String CONSTRAINT_VIOLATION = "23";

  private final Connection connection;
  private final RequestQueries queries;

  public RequestDesk(Connection connection, RequestQueries queries) {
    this.connection = connection;
    this.queries = queries;
  }

  /** The table does not take a request, however often it is handed over. */
  public static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final boolean createdBefore;

    RefusedException(String message, boolean createdBefore, SQLException cause) {
      super(message, cause);
      this.createdBefore = createdBefore;
    }

    /** Whether there is a create of this entity already; else the request itself is wrong. */
    public boolean isCreatedBefore() {
      return createdBefore;
    }
  }

  /**
   * Hands a request over and wakes back ends; gives its id.
   *
   * @throws RefusedException if there is a create of the entity already, or the payload is no JSON
   *     or too large
   */
  public long add(RequestType type, String entity, @Nullable String payload)
      throws RefusedException {
    try {
      long id = queries.add(connection, type, entity, payload);
      queries.wake(connection);
      return id;
    } catch (SQLException e) {
      String state = String.valueOf(e.getSQLState());
      if (state.equals(UNIQUE_VIOLATION)) {
        throw new RefusedException(
            "a create of entity '" + entity + "' was handed over before", true, e);
      } else if (state.startsWith(DATA_EXCEPTION) || state.startsWith(CONSTRAINT_VIOLATION)) {
        throw new RefusedException(SqlStates.describe(e), false, e);
      }
      throw DatabaseException.of(e);
    }
  }

  /**
   * Requests, the latest first, without payloads.
   *
   * @param entity null for all
   * @param status null for all
   */
  public List<RequestRow> list(@Nullable String entity, @Nullable RequestStatus status, int limit) {
    return ask(c -> queries.list(c, entity, status, limit));
  }

  /** One request, with its payload. */
  public Optional<RequestRow> find(long id) {
    return ask(c -> queries.find(c, id));
  }

  /** Ids of errors behind {@code after}, the lowest first. */
  public List<Long> errors(long after, int limit) {
    return ask(c -> queries.errors(c, after, limit));
  }

  /**
   * Lets errors be worked on again, as if they were new; gives the ids of those that were errors.
   */
  public List<Long> retry(Collection<Long> ids) {
    return ask(
        c -> {
          List<Long> retried = queries.retry(c, ids);
          queries.wake(c);
          return retried;
        });
  }

  /** Makes errors of requests that wait; gives the ids of those that did, and nobody works on. */
  public List<Long> cancel(Collection<Long> ids) {
    return ask(c -> queries.cancel(c, ids));
  }

  private <T> T ask(SqlFunction<Connection, T> question) {
    try {
      return question.apply(connection);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }
}
