package dev.recorder.audit.postgres;

import dev.recorder.audit.RequestRecords;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.schema.RequestTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the verifier of documents asks, over PostgreSQL. Throws {@link DatabaseException}. */
public final class JdbcRequestRecords implements RequestRecords {
  private final Connection connection;
  private final String table;

  public JdbcRequestRecords(Connection connection, SchemaNames schemas, RecorderName recorder) {
    this.connection = connection;
    this.table = schemas.handoffTable(recorder);
  }

  @Override
  public List<String> entities(@Nullable String after, int limit) {
    String sql =
        "SELECT entity_id FROM "
            + table
            + " WHERE octet_length(entity_id) <= "
            + RequestTable.LONGEST_ENTITY
            + (after == null ? "" : " AND entity_id > ?")
            + " GROUP BY entity_id ORDER BY entity_id LIMIT ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int p = 0;
      if (after != null) {
        statement.setString(++p, after);
      }
      statement.setInt(++p, limit);
      List<String> entities = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          entities.add(row.getString(1));
        }
      }
      return entities;
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  @Override
  public List<Row> of(String entity) {
    String sql =
        "SELECT id, request_type, request_status, fence::text, payload FROM "
            + table
            + " WHERE entity_id = ? AND octet_length(entity_id) <= "
            + RequestTable.LONGEST_ENTITY;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, entity);
      List<Row> rows = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          String fence = row.getString(4);
          rows.add(
              new Row(
                  row.getLong(1),
                  RequestType.of(row.getString(2)),
                  RequestStatus.of(row.getString(3)),
                  fence == null ? 0 : Long.parseUnsignedLong(fence),
                  row.getString(5)));
        }
      }
      return rows;
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }
}
