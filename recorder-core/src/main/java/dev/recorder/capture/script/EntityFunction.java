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
 * The function that evaluates, with the rights of {@link QueryFunction#READERS} alone, whose
 * documents the rows of a captured table belong to: {@code (rows, columns)}, both without a name,
 * since that could be taken for a column's. Without rows the second is a table instead.
 *
 * <p>Where few rows have the columns that they had when it was made, the statement stands in the
 * function, so that a session parses and plans it once: for a row or two that takes longer than all
 * else. Its plan is made for a few rows, whatever their number, since a plan that depends on that
 * would be made again each time. For many rows, and for other columns, the statement is made anew.
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

  /** So many rows at most are looked at by a plan that is kept. */
  static final String FEW = "4";

  private static final String IDS =
      """
      ARRAY(SELECT DISTINCT {id} FROM ({entities}) AS found (entity)
            WHERE found.entity IS DISTINCT FROM NULL)\
      """;

  /** The limit limits nothing: it tells the planner how many rows there are. */
  private static final String ROWS =
      "(SELECT {read} FROM json_array_elements($1) AS r (v) LIMIT {most})";

  /** The only variable of any function whose name others could use, too. */
  private static final Pattern VARIABLE = Pattern.compile("found", Pattern.CASE_INSENSITIVE);

  /** Stands where the function puts in what it was called with. */
  private static final String UNKNOWN = "\uFDD0";

  /**
   * The statements that create it, or take its place, for the triggers' function alone; of whoever
   * may become {@link QueryFunction#READERS}.
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
    // An owner must be able to create in the schema, but only while it becomes one.
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

  /** A column that is gone must be missed, and not be read from a variable. */
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
