package dev.recorder.schema;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * An index that is made where it is not there. CREATE INDEX IF NOT EXISTS locks out whoever writes
 * before it looks whether there is one, and until the transaction's end.
 */
final class MissingIndex {
  private MissingIndex() {}

  private static final String UNLESS_THERE =
      """

      IF pg_catalog.to_regclass({name}) IS NULL THEN
        {create};
      END IF;
      """;

  /**
   * The SQL that makes it.
   *
   * @param name with its schema, which is its table's
   * @param create the whole definition
   */
  static String sql(String name, String create) {
    return Schema.block(
        SqlTemplate.fill(
            UNLESS_THERE, Map.of("name", Quoted.literal(name), "create", create.strip())));
  }
}
