package dev.recorder.slotlog.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;

/** What a statement costs when it is run: pages, which do not depend on how busy the machine is. */
final class Explained {
  static final String EXPLAIN = "EXPLAIN (ANALYZE, BUFFERS, FORMAT json) ";

  private Explained() {}

  static JsonNode plan(Connection connection, String sql) throws Exception {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(EXPLAIN + sql)) {
      return plan(row);
    }
  }

  /** The answer to a statement that begins with {@link #EXPLAIN}. */
  static JsonNode plan(ResultSet answer) throws Exception {
    answer.next();
    return new ObjectMapper().readTree(answer.getString(1)).get(0).get("Plan");
  }

  /** Of all of its nodes, whether they were in memory or not. */
  static long pages(JsonNode plan) {
    return plan.get("Shared Hit Blocks").asLong() + plan.get("Shared Read Blocks").asLong();
  }
}
