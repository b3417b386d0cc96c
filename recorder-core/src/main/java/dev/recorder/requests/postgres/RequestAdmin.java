package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.LockWaitDiagnosis;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.holders.AdvisoryLockKey;
import dev.recorder.postgres.holders.LockHolders;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.postgres.sql.TimestampColumns;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.schema.HandoffTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Shows and changes the requests of one recorder, for operators, on the session of an {@code
 * Inspection}; each call is a statement of its own. Not thread-safe. Its methods throw {@link
 * DatabaseException}.
 */
public final class RequestAdmin {
  private static final String DATA_EXCEPTION = "22";
  private static final String CONSTRAINT_VIOLATION = "23";

  private static final String COLUMNS =
      """
      id, request_type, request_status, entity_id, process_id, attempts, deaths, begun_by,
        error_text, not_before, created_at, settled_at
      """;

  private final Connection connection;
  private final SchemaNames schemas;
  private final RecorderName recorder;
  private final RequestClient client;
  private final String table;
  private final Map<String, String> pieces;

  public RequestAdmin(Connection connection, SchemaNames schemas, RecorderName recorder) {
    this.connection = connection;
    this.schemas = schemas;
    this.recorder = recorder;
    this.client = new RequestClient(schemas, recorder);
    this.table = schemas.handoffTable(recorder);
    this.pieces = Map.of("table", table, "columns", COLUMNS, "touched", RequestStatements.TOUCHED);
  }

  /** The table refuses a request, and would refuse a repetition. */
  public static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final boolean createdBefore;

    RefusedException(String message, boolean createdBefore, SQLException cause) {
      super(message, cause);
      this.createdBefore = createdBefore;
    }

    /** Whether the entity already has a create; otherwise the request itself is invalid. */
    public boolean isCreatedBefore() {
      return createdBefore;
    }
  }

  /**
   * Inserts a request and notifies back ends; returns its id.
   *
   * @throws RefusedException if the entity already has a create, or the payload is not JSON or too
   *     large
   */
  public long add(RequestType type, String entity, @Nullable String payload)
      throws RefusedException {
    try {
      long id = client.add(connection, type, entity, payload);
      client.wake(connection);
      return id;
    } catch (SQLException e) {
      String state = String.valueOf(e.getSQLState());
      if (state.equals(SqlStates.UNIQUE_VIOLATION)) {
        throw new RefusedException(
            "a create of entity '" + entity + "' was handed over before", true, e);
      } else if (state.startsWith(DATA_EXCEPTION) || state.startsWith(CONSTRAINT_VIOLATION)) {
        throw new RefusedException(SqlStates.describe(e), false, e);
      }
      throw LockWaitDiagnosis.of(connection, e, List.of(table));
    }
  }

  private static final String LIST =
      """
      SELECT {columns}, NULL AS payload FROM {table}
      WHERE true {and_entity} {and_status}
      ORDER BY id DESC LIMIT :limit
      """;

  private static final String INDEXED =
      SqlTemplate.fill(
          " AND octet_length(entity_id) <= {longest}",
          Map.of("longest", Integer.toString(HandoffTable.LONGEST_ENTITY)));

  /**
   * Returns requests, the latest first, without payloads.
   *
   * @param entity null for all entities
   * @param status null for all states
   */
  public List<RequestRow> list(@Nullable String entity, @Nullable RequestStatus status, int limit) {
    Map<String, String> asked = new HashMap<>(pieces);
    asked.put("and_entity", entity == null ? "" : andEntity(entity));
    asked.put("and_status", status == null ? "" : andStatus(status));
    return ask(
        Sql.of(LIST, asked),
        statement -> {
          if (entity != null) {
            statement.set("entity", entity);
          }
          return statement.set("limit", limit).all(RequestAdmin::row);
        });
  }

  private static String andEntity(String entity) {
    return SqlTemplate.fill(
        "AND entity_id = :entity{indexed}",
        Map.of("indexed", HandoffTable.isIndexable(entity) ? INDEXED : ""));
  }

  private static String andStatus(RequestStatus status) {
    return SqlTemplate.fill(
        "AND request_status = {status}", Map.of("status", Quoted.literal(status.word())));
  }

  /** Returns a request with its payload. */
  public Optional<RequestRow> find(long id) {
    return ask(
        Sql.of("SELECT {columns}, payload FROM {table} WHERE id = :id", pieces),
        statement -> statement.set("id", id).first(RequestAdmin::row));
  }

  private static final String LOCK_ID =
      "SELECT lock_id FROM {lock_recorders} WHERE recorder = :recorder";

  /**
   * Returns the foreign session that holds the lock of an entity, with the remedy. Each host then
   * believes that another host has the entity's requests.
   */
  public Optional<String> entityHolder(String entity) {
    Optional<Integer> lockId =
        ask(
            Sql.in(schemas, LOCK_ID),
            statement ->
                statement.set("recorder", recorder.value()).first(row -> row.getInt("lock_id")));
    try {
      List<AdvisoryLockKey> keys =
          lockId.stream()
              .map(
                  id ->
                      AdvisoryLockKey.ofHash(
                          "entity " + entity, entity, schemas.entityLockSeed(id)))
              .toList();
      return LockHolders.foreignHolders(connection, keys).stream()
          .map(holder -> holder + "; " + holder.remedy())
          .findFirst();
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  private static final String ERRORS =
      """
      SELECT id FROM {table} WHERE request_status = 'error' AND id > :after
      ORDER BY id LIMIT :limit
      """;

  /** Returns ids of errors above {@code after}, the lowest first. */
  public List<Long> errors(long after, int limit) {
    return ask(
        Sql.of(ERRORS, pieces),
        statement -> statement.set("after", after).set("limit", limit).all(row -> row.getLong(1)));
  }

  private static final String RETRY =
      """
      UPDATE {table} SET request_status = 'new', attempts = 0, deaths = 0, begun_by = NULL,
        not_before = NULL, settled_at = NULL, process_id = NULL, fence = NULL, error_text = NULL,
        {touched}
      WHERE id = ANY (:ids::bigint[]) AND request_status = 'error'
      RETURNING id
      """;

  /** Makes errors new again; returns the ids of those that were errors. */
  public List<Long> retry(Collection<Long> ids) {
    return ask(
        Sql.of(RETRY, pieces),
        statement -> {
          List<Long> retried = changed(statement, ids);
          client.wake(connection);
          return retried;
        });
  }

  private static final String CANCEL =
      """
      UPDATE {table} SET request_status = 'error', error_text = 'cancelled by an operator',
        not_before = NULL, begun_by = NULL, process_id = NULL, settled_at = clock_timestamp(),
        {touched}
      WHERE id IN (
        SELECT id FROM {table} WHERE id = ANY (:ids::bigint[]) AND request_status = 'new'
        ORDER BY id FOR UPDATE SKIP LOCKED)
      RETURNING id
      """;

  /**
   * Makes waiting requests errors; returns the ids of those that were waiting and not being
   * processed.
   */
  public List<Long> cancel(Collection<Long> ids) {
    return ask(Sql.of(CANCEL, pieces), statement -> changed(statement, ids));
  }

  private static List<Long> changed(SqlStatement statement, Collection<Long> ids)
      throws SQLException {
    return statement.setArray("ids", "bigint", ids.toArray()).all(row -> row.getLong(1));
  }

  private <T> T ask(Sql question, SqlFunction<SqlStatement, T> answer) {
    try (SqlStatement statement = question.on(connection)) {
      return answer.apply(statement);
    } catch (SQLException e) {
      throw LockWaitDiagnosis.of(connection, e, List.of(table));
    }
  }

  private static RequestRow row(ResultSet row) throws SQLException {
    return new RequestRow(
        row.getLong("id"),
        RequestType.of(row.getString("request_type")),
        RequestStatus.of(row.getString("request_status")),
        row.getString("entity_id"),
        row.getObject("process_id", UUID.class),
        row.getInt("attempts"),
        row.getInt("deaths"),
        row.getString("begun_by"),
        row.getString("error_text"),
        TimestampColumns.instant(row, "not_before"),
        TimestampColumns.time(row, "created_at"),
        TimestampColumns.instant(row, "settled_at"),
        row.getString("payload"));
  }
}
