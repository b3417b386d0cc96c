package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlAction;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.HashMap;
import java.util.Map;

/**
 * A statement on locks, and what sets the values of its parameters each time it runs.
 *
 * @param text one of few, with its pieces, since for each a session keeps a prepared statement
 * @param pieces besides {@code {nextToken}}, which is the next fencing token
 */
public record Command(String text, Map<String, String> pieces, SqlAction<SqlStatement> values) {
  /** Without pieces of its own. */
  public Command(String text, SqlAction<SqlStatement> values) {
    this(text, Map.of(), values);
  }

  /** Without parameters. */
  static Command of(String text) {
    return new Command(text, values -> {});
  }

  /** As the control schema has it. */
  public Sql in(SchemaNames schemas) {
    Map<String, String> all = new HashMap<>(pieces);
    all.put("nextToken", nextToken(schemas));
    return Sql.in(schemas, text, all);
  }

  /** SQL expression of the next fencing token; each evaluation uses one up. */
  static String nextToken(SchemaNames schemas) {
    return SqlTemplate.fill(
        "nextval({sequence})", Map.of("sequence", Quoted.literal(schemas.table("lock_token"))));
  }
}
