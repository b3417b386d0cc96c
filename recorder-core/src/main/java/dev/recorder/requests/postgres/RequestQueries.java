package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.schema.RequestTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operators ask about requests, and do with them; each a statement of its own. */
public final class RequestQueries {
  private static final String COLUMNS =
      "id, request_type, request_status, entity_id, process_id, attempts, deaths, begun_by,"
          + " error_text, not_before, created_at, settled_at";

  private final String table;
  private final RecorderName recorder;

  public RequestQueries(SchemaNames schemas, RecorderName recorder) {
    this.table = schemas.handoffTable(recorder);
    this.recorder = recorder;
  }

  /** The latest first, without payloads. */
  List<RequestRow> list(
      Connection connection, @Nullable String entity, @Nullable RequestStatus status, int limit)
      throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + ", NULL FROM "
            + table
            + " WHERE true"
            + (entity == null ? "" : " AND entity_id = ?" + (isIndexed(entity) ? INDEXED : ""))
            + (status == null ? "" : " AND request_status = '" + status.word() + "'")
            + " ORDER BY id DESC LIMIT ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int p = 0;
      if (entity != null) {
        statement.setString(++p, entity);
      }
      statement.setInt(++p, limit);
      return rows(statement);
    }
  }

  private static final String INDEXED =
      " AND octet_length(entity_id) <= " + RequestTable.LONGEST_ENTITY;

  private static boolean isIndexed(String entity) {
    return RequestTable.isIndexable(entity);
  }

  Optional<RequestRow> find(Connection connection, long id) throws SQLException {
    String sql = "SELECT " + COLUMNS + ", payload FROM " + table + " WHERE id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, id);
      return rows(statement).stream().findFirst();
    }
  }

  /** Also on sessions of applications, whose path is theirs: everything is qualified. */
  long add(Connection connection, RequestType type, String entity, @Nullable String payload)
      throws SQLException {
    String sql =
        "INSERT INTO "
            + table
            + " (request_type, entity_id, payload) VALUES (?, ?, ?::pg_catalog.json) RETURNING id";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, type.word());
      statement.setString(2, entity);
      statement.setString(3, payload);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /**
   * Tells back ends that wait that there is something new; none needs to be told. Also on sessions
   * of applications.
   */
  void wake(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT pg_catalog.pg_notify(?, '')")) {
      statement.setString(1, ListenSession.channel(recorder));
      statement.execute();
    }
  }

  /** Makes errors new again; gives the ids of those that were errors. */
  List<Long> retry(Connection connection, Collection<Long> ids) throws SQLException {
    return change(
        connection,
        "UPDATE "
            + table
            + " SET request_status = 'new', attempts = 0, deaths = 0, begun_by = NULL,"
            + " not_before = NULL, settled_at = NULL, process_id = NULL, fence = NULL,"
            + " error_text = NULL WHERE id = ANY (?::bigint[]) AND request_status = 'error'"
            + " RETURNING id",
        ids);
  }

  /** Ids of errors behind {@code after}, in their order, at most {@code limit}. */
  List<Long> errors(Connection connection, long after, int limit) throws SQLException {
    String sql =
        "SELECT id FROM "
            + table
            + " WHERE request_status = 'error' AND id > ? ORDER BY id LIMIT ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, after);
      statement.setInt(2, limit);
      return ids(statement);
    }
  }

  /** Makes errors of requests that are new and not being worked on; gives their ids. */
  List<Long> cancel(Connection connection, Collection<Long> ids) throws SQLException {
    return change(
        connection,
        "UPDATE "
            + table
            + " SET request_status = 'error', error_text = 'cancelled by an operator',"
            + " not_before = NULL, begun_by = NULL, process_id = NULL, settled_at = clock_timestamp()"
            + " WHERE id IN (SELECT id FROM "
            + table
            + " WHERE id = ANY (?::bigint[]) AND request_status = 'new' ORDER BY id"
            + " FOR UPDATE SKIP LOCKED) RETURNING id",
        ids);
  }

  private static List<Long> change(Connection connection, String sql, Collection<Long> ids)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
      return ids(statement);
    }
  }

  private static List<Long> ids(PreparedStatement statement) throws SQLException {
    List<Long> ids = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        ids.add(row.getLong(1));
      }
    }
    return ids;
  }

  private static List<RequestRow> rows(PreparedStatement statement) throws SQLException {
    List<RequestRow> rows = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        rows.add(
            new RequestRow(
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
                row.getString(13)));
      }
    }
    return rows;
  }

  private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
