package dev.recorder.schema;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * {@code read_document(statement)}, by which queries of users run with the rights of {@link
 * #READERS} alone.
 *
 * <p>A query reaches code of others: views, casts of types, functions that call themselves
 * immutable. {@code SET ROLE} would not keep them from the recorder's rights, since it can be taken
 * back. Within a function that runs as its owner the server refuses both.
 */
public record QueryFunction(SchemaNames names) {
  /** Owns the function, has no login, and may read what administrators let it read. */
  public static final String READERS = "recorder_reader";

  public static final String NAME = "read_document";

  private static final String FUNCTION =
      """
      CREATE OR REPLACE FUNCTION {read_document}(statement text)
      RETURNS TABLE (bytes bigint, document text, snapshot text)
      LANGUAGE plpgsql VOLATILE SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp
      SET standard_conforming_strings = on
      SET transform_null_equals = off
      SET array_nulls = on AS $$
      #variable_conflict use_column
      BEGIN
        RETURN QUERY EXECUTE read_document.statement;
      END $$
      """;

  private static final String JOIN =
      """
      IF NOT pg_catalog.pg_has_role({name}, 'USAGE') THEN
        GRANT {readers} TO CURRENT_USER;
      END IF;\
      """;

  /** With its schema. */
  public String name() {
    return names.table(NAME);
  }

  /** DDL, which may be run again by whoever may become {@link #READERS}. */
  public List<String> create(String role) {
    Map<String, String> pieces =
        Map.of(
            "control", names.control(),
            "readers", READERS,
            "name", Quoted.literal(READERS),
            "role", Quoted.identifier(role));
    // An owner must be able to create in the schema, but only while it becomes one.
    return Stream.of(
            Schema.block(Sql.in(names, JOIN, pieces).text()),
            "GRANT CREATE ON SCHEMA {control} TO {readers}",
            FUNCTION,
            "ALTER FUNCTION {read_document}(text) OWNER TO {readers}",
            "REVOKE CREATE ON SCHEMA {control} FROM {readers}",
            "REVOKE ALL ON FUNCTION {read_document}(text) FROM PUBLIC",
            "GRANT EXECUTE ON FUNCTION {read_document}(text) TO {role}")
        .map(text -> text.startsWith("DO ") ? text : Sql.in(names, text, pieces).text())
        .toList();
  }
}
