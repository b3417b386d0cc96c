package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * The function of a table's triggers, whatever it does.
 *
 * <p>It runs with its owner's rights, whoever changes the table, and with settings of its own:
 * nothing that others have made is called unless an expression of the rule names it, and values
 * look the same whatever the session has set. A plan that was made for many rows is kept for one,
 * and must not be compiled for it.
 *
 * @param settings more of them, each a line that ends
 */
record TriggerFunction(CaptureNames names, CaptureRule rule, String settings, String body) {
  private static final String FUNCTION =
      """
      CREATE OR REPLACE FUNCTION {function}() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp
      SET TimeZone = 'UTC'
      SET DateStyle = 'ISO'
      SET IntervalStyle = 'postgres'
      SET extra_float_digits = 1
      SET bytea_output = 'hex'
      SET lc_monetary = 'C'
      {settings}SET jit = off
      AS {body}""";

  /** The statement that creates it, or takes its place. */
  String create() {
    return SqlTemplate.fill(
        FUNCTION,
        Map.of(
            "function", names.function(rule),
            "settings", settings,
            "body", Quoted.dollars("capture", body)));
  }
}
