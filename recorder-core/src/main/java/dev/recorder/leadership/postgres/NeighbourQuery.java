package dev.recorder.leadership.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.postgres.SchemaNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the other living machines tell of themselves. */
public final class NeighbourQuery {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String sql;
  private final String machine;

  public NeighbourQuery(SchemaNames schemas, String machine) {
    this.machine = machine;
    this.sql =
        "SELECT i.name, i.version, i.primary_for, i.config_sections::text FROM "
            + schemas.table("info_recorders")
            + " i JOIN pg_stat_get_activity(NULL) s USING (pid, backend_start)"
            + " WHERE i.name <> ? ORDER BY i.name";
  }

  /** All machines but this one whose control session exists. */
  public List<Neighbour> living(Connection connection) throws SQLException {
    List<Neighbour> neighbours = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, machine);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          neighbours.add(
              new Neighbour(
                  row.getString(1),
                  row.getString(2),
                  WatchStatement.ids(row.getArray(3)),
                  sections(row.getString(4))));
        }
      }
    }
    return neighbours;
  }

  private static Map<String, String> sections(String json) {
    try {
      return JSON.readValue(json, new TypeReference<Map<String, String>>() {});
    } catch (JsonProcessingException notOurs) {
      return Map.of(); // Written by a version that we do not understand: nothing to compare.
    }
  }
}
