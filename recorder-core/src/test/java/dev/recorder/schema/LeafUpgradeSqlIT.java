package dev.recorder.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an upgrade costs while producers wait. */
class LeafUpgradeSqlIT {
  private static final LeafUpgradeSql SQL =
      new LeafUpgradeSql(SchemaNames.DEFAULT, new RecorderName("orders"));

  @Test
  void thePartitionIsNotReadWhileProducersWait() throws Exception {
    try (TestDatabase database = TestDatabase.createOwned();
        Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : EarlierTable.create()) {
        statement.execute(sql);
      }
      statement.execute(SQL.mark());
      statement.execute(SQL.swap());
      assertThat(parts(statement)).as("without a proof").isEqualTo(1);

      statement.execute(SQL.validate());
      statement.execute("SET client_min_messages = debug1");
      statement.execute(SQL.swap());

      assertThat(notices(statement))
          .anyMatch(
              notice ->
                  notice.contains("partition constraint for table \"handoff_orders_0\"")
                      && notice.contains("is implied by existing constraints"));
      assertThat(parts(statement)).isEqualTo(9);
    }
  }

  private static int parts(Statement statement) throws Exception {
    try (var row =
        statement.executeQuery("SELECT count(*) - 1 FROM pg_partition_tree('handoff.orders')")) {
      row.next();
      return row.getInt(1);
    }
  }

  private static List<String> notices(Statement statement) throws Exception {
    List<String> notices = new ArrayList<>();
    for (SQLWarning at = statement.getWarnings(); at != null; at = at.getNextWarning()) {
      notices.add(String.valueOf(at.getMessage()));
    }
    return notices;
  }
}
