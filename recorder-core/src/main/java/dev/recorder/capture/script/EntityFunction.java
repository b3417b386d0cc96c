package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.EntitySource;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.DefaultPrivileges;
import dev.recorder.schema.QueryFunction;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The function that finds the entities of rows of a captured table, with only the rights of {@link
 * QueryFunction#READERS}. Its parameters are {@code (rows, columns)}. They have no names, since a
 * name could clash with a column's. If the rows are NULL, the second parameter is a table.
 *
 * <p>For a few rows with the same columns as when the function was made, the function contains the
 * statement, so that a session parses and plans it once. For one or two rows, planning would take
 * most of the time. The plan does not depend on the number of rows, so that it is kept. For many
 * rows, or for other columns, the statement is built and planned at each call.
 */
record EntityFunction(CaptureNames names, CaptureRule rule, EntitySource source) {
  private static final String FUNCTION =
      """
      CREATE OR REPLACE FUNCTION {function}(json, text)
      RETURNS text[]
      LANGUAGE plpgsql VOLATILE SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp
      SET standard_conforming_strings = on
      SET transform_null_equals = off
      SET array_nulls = on AS {body}""";

  private static final String BODY =
      """

      -- Finds the entities of recorder {recorder} that rows of {comment} name.
      -- Made by 'recorder capture add'; what is changed by hand is lost when it is made again.
      #variable_conflict use_column
      DECLARE
        "recorder ids" text[];
      BEGIN
        -- Until the subtransaction of the caller is rolled back; nothing takes it back before that.
        IF set_config('transaction_read_only', 'on', true) <> 'on' THEN
          RAISE read_only_sql_transaction;
        END IF;
        IF $1 IS NULL THEN
          EXECUTE {of_table} INTO "recorder ids";
        ELSIF {is_known} AND json_array_length($1) <= {few} THEN
          RETURN {of_known};
        ELSE
          EXECUTE {of_rows} INTO "recorder ids" USING $1;
        END IF;
        RETURN "recorder ids";
      END
      """;

  /** Most rows for which the kept plan is used. */
  static final String FEW = "4";

  private static final String IDS =
      """
      ARRAY(SELECT DISTINCT {id} FROM ({entities}) AS found (entity)
            WHERE found.entity IS DISTINCT FROM NULL)\
      """;

  /** LIMIT only tells the planner the number of rows, and removes none. */
  private static final String ROWS =
      "(SELECT {read} FROM json_array_elements($1) AS r (v) LIMIT {most})";

  /** The only PL/pgSQL variable whose name a user's expression could contain. */
  private static final Pattern VARIABLE = Pattern.compile("found", Pattern.CASE_INSENSITIVE);

  /** Placeholder for the function's second parameter. */
  private static final String UNKNOWN = "\uFDD0";

  /**
   * Returns the statements that create or replace the function, which only the triggers' function
   * may call. They need a role that may act as {@link QueryFunction#READERS}.
   */
  List<String> create() {
    Map<String, String> pieces =
        Map.of(
            "control",
            names.schemas().control(),
            "readers",
            QueryFunction.READERS,
            "function",
            names.entityFunction(rule),
            "body",
            Quoted.dollars("entity", body()),
            "role",
            CaptureNames.ROLE);
    // A role needs CREATE on the schema to become the function's owner, but not afterwards.
    return Stream.of(
            "GRANT CREATE ON SCHEMA {control} TO {readers}",
            FUNCTION,
            "ALTER FUNCTION {function}(json, text) OWNER TO {readers}",
            "REVOKE CREATE ON SCHEMA {control} FROM {readers}",
            DefaultPrivileges.ofFunction(names.entityFunction(rule) + "(json, text)"),
            "GRANT EXECUTE ON FUNCTION {function}(json, text) TO {role}")
        .map(statement -> SqlTemplate.fillFromShared(statement, pieces))
        .toList();
  }

  private String body() {
    return SqlTemplate.fill(
        BODY,
        Map.of(
            "recorder", rule.recorder().value(),
            "comment", Quoted.comment(rule.table().quoted()),
            "is_known", isKnown(),
            "few", FEW,
            "of_known", ids(rows(source.read(), FEW)),
            "of_rows", executed(ids(rows(UNKNOWN, "json_array_length($1)"))),
            "of_table", executed(ids(UNKNOWN))));
  }

  /**
   * Returns the SQL condition to use the kept statement. It is false if the expression contains the
   * variable's name: a dropped column must cause an error, and not be read from the variable.
   */
  private String isKnown() {
    String expressions =
        Objects.requireNonNull(rule.options().entity(), "entity") + " " + rule.options().when();
    return VARIABLE.matcher(expressions).find() ? "false" : "$2 = " + Quoted.literal(source.read());
  }

  private String ids(String rows) {
    return SqlTemplate.fill(
        IDS,
        Map.of(
            "id", source.idText().of("found.entity"),
            "entities", EntityExpression.ofRows(rule, rows)));
  }

  private static String rows(String read, String most) {
    return SqlTemplate.fill(ROWS, Map.of("read", read, "most", most));
  }

  private static String executed(String ids) {
    String[] parts = ids.split(UNKNOWN, 2);
    return SqlTemplate.fill(
        "'SELECT ' || {before} || $2 || {behind}",
        Map.of(
            "before", Quoted.dollars("sql", parts[0]), "behind", Quoted.dollars("sql", parts[1])));
  }
}
