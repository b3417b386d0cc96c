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
 * A statement on locks, with an action that binds its parameters each time it runs.
 *
 * @param text one of few texts with pieces, since a session keeps a prepared statement for each
 * @param pieces further pieces beside {@code {nextToken}}, the next fencing token
 */
public record Command(String text, Map<String, String> pieces, SqlAction<SqlStatement> values) {
  public Command(String text, SqlAction<SqlStatement> values) {
    this(text, Map.of(), values);
  }

  static Command of(String text) {
    return new Command(text, values -> {});
  }

  /** Returns the statement for these schemas. */
  public Sql in(SchemaNames schemas) {
    Map<String, String> all = new HashMap<>(pieces);
    all.put("nextToken", nextToken(schemas));
    return Sql.in(schemas, text, all);
  }

  /** The SQL expression for the next fencing token; each evaluation consumes a token. */
  static String nextToken(SchemaNames schemas) {
    return SqlTemplate.fill(
        "nextval({sequence})", Map.of("sequence", Quoted.literal(schemas.table("lock_token"))));
  }
}
