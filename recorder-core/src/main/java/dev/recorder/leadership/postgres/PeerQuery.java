package dev.recorder.leadership.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Reads the registrations of the other living hosts. */
public final class PeerQuery {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String LIVING =
      """
      SELECT i.name, i.version, i.primary_for, i.config_sections::text
      FROM {info_recorders} i JOIN pg_stat_get_activity(NULL) s USING (pid, backend_start)
      WHERE i.name <> :machine
      ORDER BY i.name
      """;

  private final Sql living;
  private final String machine;

  public PeerQuery(SchemaNames schemas, String machine) {
    this.machine = machine;
    this.living = Sql.in(schemas, LIVING);
  }

  /** Returns the registrations of all other hosts whose control session exists. */
  public List<PeerRegistration> living(Connection connection) throws SQLException {
    try (SqlStatement statement = living.on(connection)) {
      return statement.set("machine", machine).all(PeerQuery::peer);
    }
  }

  private static PeerRegistration peer(ResultSet row) throws SQLException {
    return new PeerRegistration(
        row.getString(1),
        row.getString(2),
        WatchStatement.ids(row.getArray(3)),
        sections(row.getString(4)));
  }

  private static Map<String, String> sections(String json) {
    try {
      return JSON.readValue(json, new TypeReference<Map<String, String>>() {});
    } catch (JsonProcessingException notOurs) {
      return Map.of(); // Written by an unknown version, so there is nothing to compare.
    }
  }
}
