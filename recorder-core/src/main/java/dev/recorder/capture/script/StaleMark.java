package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;

/**
 * The note that a capture has lost changes. It remains when the cause is over, until a later
 * snapshot has ended. For documents it remains until the capture is set up again while it loses no
 * changes. An administrator should first request the documents of the entities concerned.
 */
public final class StaleMark {
  /** The right with which the hosts' role notes findings. */
  static final String RIGHT = "GRANT UPDATE (stale_at, stale_why) ON {captures} TO {machines}";

  private static final String SET =
      """
      UPDATE {captures} SET stale_at = {at}, stale_why = {why}
      WHERE recorder = {recorder} AND captured = {captured}\
      """;

  private StaleMark() {}

  /** Returns the statement that notes a loss as of now. */
  public static String set(CaptureNames names, CaptureRule rule, String why) {
    return set(names, rule, "clock_timestamp()", Quoted.literal(why));
  }

  private static String set(CaptureNames names, CaptureRule rule, String at, String why) {
    return SqlTemplate.fill(
        SET,
        Map.of(
            "captures", names.captures(),
            "at", at,
            "why", why,
            "recorder", Quoted.literal(rule.recorder().value()),
            "captured", Quoted.literal(rule.table().logged())));
  }

  /** Returns the statements that note losses until a new set-up. */
  static List<String> afterSettingUp(TableScript all) {
    CaptureNames names = all.names();
    CaptureRule rule = all.rule();
    return all.relation().losses().stream()
        .findFirst()
        .map(why -> List.of(set(names, rule, "since", Quoted.literal(why))))
        .orElse(rule.isOfDocuments() ? List.of(set(names, rule, "NULL", "NULL")) : List.of());
  }

  /**
   * The statement that notes findings, at most one for each capture. While a capture has a finding,
   * no snapshot ends the note. When it has none any more, a snapshot that begins later does. The
   * statement skips rows that are locked, since a later check can note the finding. It also skips a
   * capture whose row has changed since the findings were read, as they may be outdated.
   */
  public static final String NOTE =
      """
      UPDATE {captures} AS c SET stale_at = CASE WHEN k.why IS NULL THEN clock_timestamp()
          ELSE 'infinity' END, stale_why = coalesce(k.why, c.stale_why)
      FROM (SELECT k.recorder, k.captured, f.why FROM {captures} AS k
          LEFT JOIN unnest(:recorders::text[], :tables::text[], :whys::text[], :versions::text[])
            AS f (recorder, captured, why, version) USING (recorder, captured)
          WHERE (k.stale_at IS NOT DISTINCT FROM 'infinity') <> (f.why IS NOT NULL)
            AND (f.why IS NULL OR f.version = k.xmin::text)
            AND (cardinality(:looked_at::text[]) = 0 OR k.recorder = ANY (:looked_at::text[]))
          FOR NO KEY UPDATE OF k SKIP LOCKED) AS k
      WHERE c.recorder = k.recorder AND c.captured = k.captured
      """;
}
