package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.CaptureRule;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The common form of the functions of triggers.
 *
 * <p>The function runs with its owner's rights, whichever role changes the table, and with fixed
 * settings. So no function of other roles is called unless an expression of the rule names it, and
 * the form of values does not depend on the session's settings. JIT compilation is off, since a
 * plan made for many rows is kept and used for a single row.
 *
 * @param settings further settings, each a line with its line break
 */
record TriggerFunction(CaptureNames names, CaptureRule rule, String settings, String body) {
  private static final String FUNCTION =
      """
      CREATE OR REPLACE FUNCTION {function}() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp
      {texts}
      {settings}SET jit = off
      AS {body}""";

  /**
   * Settings that determine the text of values, and how texts and NULLs in an expression are read.
   */
  private static final List<String> TEXTS =
      List.of(
          "TimeZone = 'UTC'",
          "DateStyle = 'ISO, MDY'",
          "IntervalStyle = 'postgres'",
          "extra_float_digits = 1",
          "bytea_output = 'hex'",
          "lc_monetary = 'C'",
          "xmloption = 'content'",
          "transform_null_equals = off",
          "array_nulls = on",
          "quote_all_identifiers = off");

  /**
   * Settings on which functions in an expression depend. They cost some microseconds for each
   * statement. {@code timezone_abbreviations} is left out, since the server reads a file each time
   * it is set.
   */
  private static final List<String> OF_EXPRESSIONS =
      List.of(
          "lc_numeric = 'C'",
          "lc_time = 'C'",
          "default_text_search_config = 'pg_catalog.simple'",
          "xmlbinary = 'base64'");

  /** Returns statements with these settings for a transaction that writes values itself. */
  static List<String> texts() {
    return Stream.concat(TEXTS.stream(), OF_EXPRESSIONS.stream())
        .map(text -> set("SET LOCAL {text}", text))
        .toList();
  }

  private Stream<String> pinned() {
    CaptureOptions options = rule.options();
    boolean isPlain = options.when() == null && options.key() == null && options.entity() == null;
    return isPlain ? TEXTS.stream() : Stream.concat(TEXTS.stream(), OF_EXPRESSIONS.stream());
  }

  private static String set(String statement, String text) {
    return SqlTemplate.fill(statement, Map.of("text", text));
  }

  /** Returns the statement that creates or replaces the function. */
  String create() {
    return SqlTemplate.fill(
        FUNCTION,
        Map.of(
            "function", names.function(rule),
            "texts", pinned().map(t -> set("SET {text}", t)).collect(Collectors.joining("\n")),
            "settings", settings,
            "body", Quoted.dollars("capture", body)));
  }
}
