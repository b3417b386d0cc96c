package dev.recorder.leadership.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.postgres.sql.SchemaNames;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** What a machine's watch statement costs for the recorder with the lockid 1. */
public final class WatchCost {
  /** A row of each machine and each recorder, found by the root and a leaf of an index. */
  public static final long A_FEW_PAGES = 30;

  private WatchCost() {}

  /** In pages, as the server counts them. */
  public static long pages(Connection connection) throws SQLException {
    JsonNode plan = explained(connection).get("Plan");
    return plan.get("Shared Hit Blocks").asLong() + plan.get("Shared Read Blocks").asLong();
  }

  /** In milliseconds, from the question to what a machine makes of the answer. */
  public static double millis(Connection connection) throws SQLException {
    long begun = System.nanoTime();
    new WatchStatement(SchemaNames.DEFAULT).on(connection, Set.of(1));
    return (System.nanoTime() - begun) / 1e6;
  }

  private static JsonNode explained(Connection connection) throws SQLException {
    String watch = new WatchStatement(SchemaNames.DEFAULT).sql.text().replace("?", "'{1}'");
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("EXPLAIN (ANALYZE, BUFFERS, FORMAT json) " + watch)) {
      row.next();
      return new ObjectMapper().readTree(row.getString(1)).get(0);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
