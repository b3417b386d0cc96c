package dev.recorder.schema;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The functions by which SQL of users runs with the rights of {@link #READERS} alone: {@code
 * read_document(statement)} for queries that build documents, and {@code read_entities(statement,
 * rows)} for what says whose documents the rows of a captured table belong to.
 *
 * <p>Such SQL reaches code of others: views, casts of types, functions that call themselves
 * immutable. {@code SET ROLE} would not keep them from the caller's rights, since it can be taken
 * back. Within a function that runs as its owner the server refuses both. Who calls one of them
 * undoes whatever it has done: their owner could also drop it.
 */
public record QueryFunction(SchemaNames names) {
  /** Owns the functions, has no login, and may read what administrators let it read. */
  public static final String READERS = "recorder_reader";

  public static final String NAME = "read_document";

  static final String ENTITIES = "read_entities";

  /** In an application's session, which may have any settings; that of documents is ours. */
  private static final String OF_ROWS =
      """
      CREATE OR REPLACE FUNCTION {read_entities}(statement text, rows json)
      RETURNS SETOF text
      LANGUAGE plpgsql VOLATILE SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp
      SET standard_conforming_strings = on
      SET transform_null_equals = off
      SET array_nulls = on AS $$
      #variable_conflict use_column
      BEGIN
        -- Until the subtransaction of the caller is rolled back; nothing takes it back before that.
        PERFORM set_config('transaction_read_only', 'on', true);
        RETURN QUERY EXECUTE read_entities.statement USING read_entities.rows;
      END $$
      """;

  private static final String JOIN =
      """
      IF NOT pg_catalog.pg_has_role({name}, 'USAGE') THEN
        GRANT {readers} TO CURRENT_USER;
      END IF;\
      """;

  /** With its schema: for documents. */
  public String name() {
    return names.table(NAME);
  }

  /** With its schema: for entities of rows. */
  public String ofEntities() {
    return names.table(ENTITIES);
  }

  /**
   * DDL of the function for entities of rows, which only {@code role} may call; it may be run again
   * by whoever may become {@link #READERS}. That for documents stands in {@code control.sql}.
   */
  public List<String> createOfEntities(String role) {
    Map<String, String> pieces =
        Map.of(
            "control",
            names.control(),
            "readers",
            READERS,
            "function",
            "{read_entities}(text, json)",
            "role",
            Quoted.identifier(role));
    String join =
        SqlTemplate.fill(JOIN, Map.of("name", Quoted.literal(READERS), "readers", READERS));
    // An owner must be able to create in the schema, but only while it becomes one.
    return Stream.concat(
            Stream.of(Schema.block(join)),
            Stream.of(
                    "GRANT CREATE ON SCHEMA {control} TO {readers}",
                    OF_ROWS,
                    "ALTER FUNCTION {function} OWNER TO {readers}",
                    "REVOKE CREATE ON SCHEMA {control} FROM {readers}",
                    DefaultRights.ofFunction(ofEntities() + "(text, json)"),
                    "GRANT EXECUTE ON FUNCTION {function} TO {role}")
                .map(text -> Sql.in(names, text, pieces).text()))
        .toList();
  }
}
