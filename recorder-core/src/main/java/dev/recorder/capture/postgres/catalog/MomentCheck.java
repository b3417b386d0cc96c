package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.TableName;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.sqltext.SqlPiece;
import dev.recorder.sqltext.SqlPiece.PieceKind;
import dev.recorder.sqltext.SqlScanner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks that the value of an expression for a row does not depend on the time or the session. The
 * triggers evaluate a condition when a row is inserted, and again when the row is updated or
 * deleted. If the condition were true only the first time, copies would keep the deleted row.
 *
 * <p>The server also declares functions STABLE that depend only on settings such as {@code
 * TimeZone}. The triggers' function has fixed values for these settings, so such functions are
 * allowed.
 */
public final class MomentCheck {
  /** Constants such as 'now', which the server replaces by a time when it parses the expression. */
  private static final Pattern MOMENT =
      Pattern.compile("'\\s*(now|today|tomorrow|yesterday)\\b.*", Pattern.CASE_INSENSITIVE);

  private static final Pattern READ_LATER =
      Pattern.compile("^::(text|character varying)\\)?::(timestamp|date|time)");

  private MomentCheck() {}

  /**
   * Query over the view's rule {@code r}. STABLE operators and casts of the server are allowed,
   * since they depend only on settings. The exception is the cast to {@code regclass}, which looks
   * a name up.
   */
  private static final Sql ASKED =
      Sql.of(
          """
          SELECT coalesce(f.name, CASE WHEN r.ev_action::text ~ '\\{SQLVALUEFUNCTION '
              THEN 'a word such as current_date or current_user' END), pg_get_viewdef(r.ev_class)
          FROM pg_rewrite r
          LEFT JOIN LATERAL (
            SELECT CASE WHEN p.pronamespace = 'pg_catalog'::regnamespace THEN p.proname || '()'
              ELSE format('%I.%I(), which is STABLE: if it always says the same of the same values,'
                ' declare it IMMUTABLE', n.nspname, p.proname) END AS name
            FROM regexp_matches(r.ev_action::text, ':(?:op)?funcid (\\d+)', 'g') AS m
            JOIN pg_proc p ON p.oid = m[1]::oid JOIN pg_namespace n ON n.oid = p.pronamespace
            WHERE p.provolatile = 's' AND CASE WHEN p.pronamespace <> 'pg_catalog'::regnamespace
              THEN NOT :looksUp
              ELSE p.proname <> ALL (:converting::text[])
                AND NOT EXISTS (SELECT FROM pg_operator o WHERE o.oprcode = p.oid)
                AND NOT EXISTS (SELECT FROM pg_cast c WHERE c.castfunc = p.oid
                  AND c.casttarget <> 'regclass'::regtype) END
            ORDER BY 1 LIMIT 1) f ON true
          WHERE r.ev_class = :view::regclass
          """);

  /**
   * Functions of the server that are STABLE only because of such settings, or of the types that
   * they write.
   */
  private static final List<String> CONVERTING =
      List.of(
          "array_to_json",
          "array_to_string",
          "concat",
          "concat_ws",
          "convert",
          "convert_from",
          "convert_to",
          "date_add",
          "date_cmp_timestamptz",
          "date_part",
          "date_subtract",
          "date_trunc",
          "extract",
          "format",
          "generate_series",
          "json_build_array",
          "json_build_object",
          "json_populate_record",
          "json_populate_recordset",
          "json_to_record",
          "json_to_recordset",
          "json_to_tsvector",
          "jsonb_build_array",
          "jsonb_build_object",
          "jsonb_path_exists_tz",
          "jsonb_path_match_tz",
          "jsonb_path_query_array_tz",
          "jsonb_path_query_first_tz",
          "jsonb_path_query_tz",
          "jsonb_populate_record",
          "jsonb_populate_recordset",
          "jsonb_to_record",
          "jsonb_to_recordset",
          "jsonb_to_tsvector",
          "length",
          "make_timestamptz",
          "overlaps",
          "pg_column_size",
          "pg_typeof",
          "phraseto_tsquery",
          "plainto_tsquery",
          "quote_literal",
          "quote_nullable",
          "row_to_json",
          "timestamp_cmp_timestamptz",
          "timestamptz",
          "timestamptz_cmp_date",
          "timestamptz_cmp_timestamp",
          "to_char",
          "to_date",
          "to_json",
          "to_jsonb",
          "to_number",
          "to_timestamp",
          "to_tsquery",
          "to_tsvector",
          "ts_headline",
          "websearch_to_tsquery",
          "xml_is_well_formed");

  /**
   * Returns the dependence on time or session, worded to follow the expression; empty if there is
   * none.
   *
   * @param view name of an existing view of the expression
   * @param looksUp whether users' STABLE functions are allowed, as in an expression that looks
   *     entities up
   */
  static String fault(Connection connection, String view, String expression, boolean looksUp)
      throws SQLException {
    record ParsedView(String name, String definition) {}
    ParsedView parsed;
    try (SqlStatement statement = ASKED.on(connection)) {
      parsed =
          statement
              .set("view", "pg_temp." + view)
              .set("looksUp", looksUp)
              .setArray("converting", "text", CONVERTING.toArray())
              .first(row -> new ParsedView(String.valueOf(row.getString(1)), row.getString(2)))
              .orElseThrow();
    }
    String what =
        parsed.name().equals("null") ? moment(expression, parsed.definition()) : parsed.name();
    return what.isEmpty() ? "" : "depends on when, or in which session, it is asked: " + what;
  }

  /**
   * Returns a constant such as 'now' that was, or will be, replaced by the time of reading; empty
   * if there is none.
   */
  private static String moment(String expression, String definition) {
    for (SqlPiece piece : SqlScanner.pieces(expression)) {
      if (piece.kind() == PieceKind.QUOTED && MOMENT.matcher(piece.text()).matches()) {
        int at = definition.indexOf(piece.text());
        if (at < 0 || READ_LATER.matcher(definition.substring(at + piece.text().length())).find()) {
          return piece.text();
        }
      }
    }
    return "";
  }

  /**
   * Returns a finding if the condition of an existing capture depends on time or session. Such a
   * capture was set up before such conditions were refused.
   */
  static Optional<CaptureFinding> ofCondition(
      Connection connection, CaptureRule rule, TableName name) throws SQLException {
    String when = rule.options().when();
    String fault = ExpressionCheck.momentOf(connection, rule, name);
    return when == null || fault.isEmpty()
        ? Optional.empty()
        : Optional.of(finding(rule, "--when", when, fault));
  }

  static CaptureFinding finding(CaptureRule rule, String option, String expression, String fault) {
    String then =
        rule.isOfDocuments() ? "ask for its entities" : "write all rows with capture snapshot";
    return new CaptureFinding(
        rule.recorder().value(),
        rule.table().logged(),
        true,
        "%s '%s' %s%s; add the capture with --again and another, then %s"
            .formatted(option, expression, fault, WHY, then));
  }

  /** Why such an expression is refused. */
  static final String WHY =
      "; a row is judged again when it is changed or goes, and if otherwise than when it came,"
          + " copies keep what is gone: compare columns with fixed values, such as at >="
          + " '2026-01-01', or with a column that is set when the row is written";
}
