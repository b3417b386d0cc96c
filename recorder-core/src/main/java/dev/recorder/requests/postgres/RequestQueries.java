package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.Sql;
import dev.recorder.postgres.SqlStatement;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.schema.RequestTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operators ask about requests, and do with them; each a statement of its own. */
public final class RequestQueries {
  private static final String COLUMNS =
      """
      id, request_type, request_status, entity_id, process_id, attempts, deaths, begun_by,
        error_text, not_before, created_at, settled_at
      """;

  private final Map<String, String> pieces;
  private final RecorderName recorder;
  private final Sql find;
  private final Sql add;
  private final Sql retry;
  private final Sql errors;
  private final Sql cancel;

  public RequestQueries(SchemaNames schemas, RecorderName recorder) {
    this.pieces = Map.of("table", schemas.handoffTable(recorder), "columns", COLUMNS);
    this.recorder = recorder;
    this.find = Sql.of("SELECT {columns}, payload FROM {table} WHERE id = :id", pieces);
    this.add = Sql.of(ADD, pieces);
    this.retry = Sql.of(RETRY, pieces);
    this.errors = Sql.of(ERRORS, pieces);
    this.cancel = Sql.of(CANCEL, pieces);
  }

  private static final String LIST =
      """
      SELECT {columns}, NULL FROM {table}
      WHERE true {and_entity} {and_status}
      ORDER BY id DESC LIMIT :limit
      """;

  private static final String INDEXED =
      " AND octet_length(entity_id) <= " + RequestTable.LONGEST_ENTITY;

  /** The latest first, without payloads. */
  List<RequestRow> list(
      Connection connection, @Nullable String entity, @Nullable RequestStatus status, int limit)
      throws SQLException {
    Map<String, String> asked = new HashMap<>(pieces);
    asked.put("and_entity", entity == null ? "" : "AND entity_id = :entity" + indexed(entity));
    asked.put("and_status", status == null ? "" : "AND request_status = '" + status.word() + "'");
    try (SqlStatement statement = Sql.of(LIST, asked).on(connection)) {
      if (entity != null) {
        statement.set("entity", entity);
      }
      return statement.set("limit", limit).all(RequestQueries::row);
    }
  }

  private static String indexed(String entity) {
    return RequestTable.isIndexable(entity) ? INDEXED : "";
  }

  Optional<RequestRow> find(Connection connection, long id) throws SQLException {
    try (SqlStatement statement = find.on(connection)) {
      return statement.set("id", id).first(RequestQueries::row);
    }
  }

  private static final String ADD =
      """
      INSERT INTO {table} (request_type, entity_id, payload)
      VALUES (:type, :entity, :payload::pg_catalog.json) RETURNING id
      """;

  /** Also on sessions of applications, whose path is theirs: everything is qualified. */
  long add(Connection connection, RequestType type, String entity, @Nullable String payload)
      throws SQLException {
    try (SqlStatement statement = add.on(connection)) {
      return statement
          .set("type", type.word())
          .set("entity", entity)
          .set("payload", payload)
          .number();
    }
  }

  private static final Sql WAKE = Sql.of("SELECT pg_catalog.pg_notify(:channel, '')");

  /**
   * Tells back ends that wait that there is something new; none needs to be told. Also on sessions
   * of applications.
   */
  void wake(Connection connection) throws SQLException {
    try (SqlStatement statement = WAKE.on(connection)) {
      statement.set("channel", ListenSession.channel(recorder)).complete().execute();
    }
  }

  private static final String RETRY =
      """
      UPDATE {table} SET request_status = 'new', attempts = 0, deaths = 0, begun_by = NULL,
        not_before = NULL, settled_at = NULL, process_id = NULL, fence = NULL, error_text = NULL
      WHERE id = ANY (:ids::bigint[]) AND request_status = 'error'
      RETURNING id
      """;

  /** Makes errors new again; gives the ids of those that were errors. */
  List<Long> retry(Connection connection, Collection<Long> ids) throws SQLException {
    return change(connection, retry, ids);
  }

  private static final String ERRORS =
      """
      SELECT id FROM {table} WHERE request_status = 'error' AND id > :after
      ORDER BY id LIMIT :limit
      """;

  /** Ids of errors behind {@code after}, in their order, at most {@code limit}. */
  List<Long> errors(Connection connection, long after, int limit) throws SQLException {
    try (SqlStatement statement = errors.on(connection)) {
      return statement.set("after", after).set("limit", limit).all(row -> row.getLong(1));
    }
  }

  private static final String CANCEL =
      """
      UPDATE {table} SET request_status = 'error', error_text = 'cancelled by an operator',
        not_before = NULL, begun_by = NULL, process_id = NULL, settled_at = clock_timestamp()
      WHERE id IN (
        SELECT id FROM {table} WHERE id = ANY (:ids::bigint[]) AND request_status = 'new'
        ORDER BY id FOR UPDATE SKIP LOCKED)
      RETURNING id
      """;

  /** Makes errors of requests that are new and not being worked on; gives their ids. */
  List<Long> cancel(Connection connection, Collection<Long> ids) throws SQLException {
    return change(connection, cancel, ids);
  }

  private static List<Long> change(Connection connection, Sql sql, Collection<Long> ids)
      throws SQLException {
    try (SqlStatement statement = sql.on(connection)) {
      return statement.setArray("ids", "bigint", ids.toArray()).all(row -> row.getLong(1));
    }
  }

  private static RequestRow row(ResultSet row) throws SQLException {
    return new RequestRow(
        row.getLong(1),
        RequestType.of(row.getString(2)),
        RequestStatus.of(row.getString(3)),
        row.getString(4),
        row.getObject(5, UUID.class),
        row.getInt(6),
        row.getInt(7),
        row.getString(8),
        row.getString(9),
        instant(row, 10),
        row.getObject(11, OffsetDateTime.class).toInstant(),
        instant(row, 12),
        row.getString(13));
  }

  private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
