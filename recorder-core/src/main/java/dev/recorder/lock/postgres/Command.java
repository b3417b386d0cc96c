package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlAction;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.LockTables;
import java.util.Map;

/**
 * A statement on locks, and what sets the values of its parameters each time it runs.
 *
 * @param text one of few, since for each a session keeps a prepared statement; {@code {nextToken}}
 *     is the next fencing token
 */
record Command(String text, SqlAction<SqlStatement> values) {
  /** Without parameters. */
  static Command of(String text) {
    return new Command(text, values -> {});
  }

  /** As the control schema has it. */
  Sql in(SchemaNames schemas) {
    return Sql.in(schemas, text, Map.of("nextToken", new LockTables(schemas).nextToken()));
  }
}
