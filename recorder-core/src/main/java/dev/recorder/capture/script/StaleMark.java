package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;

/**
 * The note that a capture has lost changes, which outlasts what it lost them by: until a snapshot
 * that begins later has ended or, for documents, until the capture is set up again when it loses
 * none, which nobody should do before the entities were asked for.
 */
public final class StaleMark {
  /** Of the hosts' role, which notes what it finds. */
  static final String RIGHT = "GRANT UPDATE (stale_at, stale_why) ON {captures} TO {machines}";

  private static final String SET =
      """
      UPDATE {captures} SET stale_at = {at}, stale_why = {why}
      WHERE recorder = {recorder} AND captured = {captured}\
      """;

  private StaleMark() {}

  /** The statement that notes it, now. */
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

  /** The statements for what it has lost until it was set up again. */
  static List<String> afterSettingUp(TableScript all) {
    CaptureNames names = all.names();
    CaptureRule rule = all.rule();
    return all.relation().losses().stream()
        .findFirst()
        .map(why -> List.of(set(names, rule, "since", Quoted.literal(why))))
        .orElse(rule.isOfDocuments() ? List.of(set(names, rule, "NULL", "NULL")) : List.of());
  }

  /**
   * The statement that notes findings, one of each capture: as long as there is one, no snapshot is
   * enough, and once there is none, those are that begin later. It waits for nobody, as it can be
   * done later, and leaves a capture that was set up, or noted, since the findings were seen: they
   * may be of before.
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
