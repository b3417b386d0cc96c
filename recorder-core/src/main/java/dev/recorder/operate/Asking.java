package dev.recorder.operate;

import dev.recorder.postgres.LockTrouble;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * A session on which operators ask, outside of transactions. If somebody has locked what is asked
 * of, the failure names them: who is kept waiting has nobody else to turn to.
 */
final class Asking {
  private final Connection connection;
  private final List<String> tables;

  Asking(Connection connection, SchemaNames schemas) {
    this.connection = connection;
    this.tables =
        Stream.of(
                "info_recorders",
                "lock_recorders",
                "switchovers",
                "pauses",
                "host_orders",
                "reload_orders",
                "conditions",
                "verdicts",
                "lost_races",
                "takeovers",
                "slots",
                "exclusions",
                "blocks",
                "folds",
                "incumbents",
                "schema_info")
            .map(schemas::table)
            .toList();
  }

  <T> T ask(SqlFunction<Connection, T> question) {
    try {
      return question.apply(connection);
    } catch (SQLException e) {
      throw LockTrouble.of(connection, e, tables);
    }
  }
}
