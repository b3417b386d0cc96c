package dev.recorder.schema;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/** What those who use the tables of locks between processes have to know of them. */
public final class LockTables {
  /**
   * Of the UTF-8 text of a lock's id or queue. The columns hold as many characters, which an index
   * takes in any encoding; checks instead would be run by each acquire.
   */
  public static final int LONGEST_NAME_BYTES = 200;

  private LockTables() {}

  /** SQL expression of the next fencing token; each evaluation uses one up. */
  public static String nextToken(SchemaNames names) {
    return SqlTemplate.fill(
        "nextval({sequence})", Map.of("sequence", Quoted.literal(names.table("lock_token"))));
  }
}
