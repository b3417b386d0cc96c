package dev.recorder.audit.postgres;

import dev.recorder.audit.documents.RequestRecords;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.LockWaitDiagnosis;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.schema.HandoffTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records that the verifier of documents reads, in PostgreSQL. Throws {@link
 * DatabaseException}.
 */
public final class JdbcRequestRecords implements RequestRecords {
  private final Connection connection;
  private final SchemaNames schemas;
  private final Sql firstEntities;
  private final Sql nextEntities;
  private final Sql ofEntity;

  public JdbcRequestRecords(Connection connection, SchemaNames schemas, RecorderName recorder) {
    this.connection = connection;
    this.schemas = schemas;
    Map<String, String> pieces =
        Map.of(
            "table", schemas.handoffTable(recorder),
            "longest", Integer.toString(HandoffTable.LONGEST_ENTITY),
            "digest", HandoffTable.REQUEST_DIGEST);
    this.firstEntities = Sql.of(FIRST_ENTITIES, pieces);
    this.nextEntities = Sql.of(NEXT_ENTITIES, pieces);
    this.ofEntity = Sql.of(OF_ENTITY, pieces);
  }

  private static final String FIRST_ENTITIES =
      """
      SELECT entity_id FROM {table}
      WHERE octet_length(entity_id) <= {longest}
      GROUP BY entity_id ORDER BY entity_id LIMIT :limit
      """;

  private static final String NEXT_ENTITIES =
      """
      SELECT entity_id FROM {table}
      WHERE octet_length(entity_id) <= {longest} AND entity_id > :after
      GROUP BY entity_id ORDER BY entity_id LIMIT :limit
      """;

  @Override
  public List<String> entities(@Nullable String after, int limit) {
    Sql sql = after == null ? firstEntities : nextEntities;
    try (SqlStatement statement = sql.on(connection)) {
      if (after != null) {
        statement.set("after", after);
      }
      return statement.set("limit", limit).all(row -> row.getString(1));
    } catch (SQLException e) {
      throw LockWaitDiagnosis.of(connection, e, schemas);
    }
  }

  private static final String OF_ENTITY =
      """
      SELECT id, request_type, request_status, fence::text AS fence, payload, {digest} AS digest
      FROM {table}
      WHERE entity_id = :entity AND octet_length(entity_id) <= {longest}
      """;

  @Override
  public List<RecordedRequest> of(String entity) {
    try (SqlStatement statement = ofEntity.on(connection)) {
      return statement.set("entity", entity).all(JdbcRequestRecords::row);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  private static RecordedRequest row(ResultSet row) throws SQLException {
    String fence = row.getString("fence");
    return new RecordedRequest(
        row.getLong("id"),
        RequestType.of(row.getString("request_type")),
        RequestStatus.of(row.getString("request_status")),
        fence == null ? 0 : Long.parseUnsignedLong(fence),
        row.getString("payload"),
        row.getLong("digest"));
  }
}
