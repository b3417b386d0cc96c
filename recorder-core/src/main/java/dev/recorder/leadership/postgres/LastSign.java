package dev.recorder.leadership.postgres;

import java.util.Map;

/**
 * SQL for the time at which a host last showed work on a recorder, by the server's clock, for its
 * row {@code r} of {@code lock_recorders}.
 *
 * <p>A host's row in {@code info_recorders} has the beat of its latest session, which may not be
 * the session of the term. The last beat of a former session is kept in {@code incumbents} when the
 * host registers again.
 */
public final class LastSign {

  /**
   * The holder's last beat on the session of its term; null without a holder. An older beat than
   * the term's beginning was kept of an earlier term, so the beginning counts instead.
   *
   * <p>The holder's row is read in its latest version, which the index returns first.
   */
  private static final String BEAT =
      """
      CASE WHEN r.holder IS NOT NULL THEN greatest(r.begun_at, coalesce(
        (SELECT CASE WHEN i.pid = r.holder_pid AND i.backend_start = r.holder_backend_start
          THEN i.update_time END
        FROM {info_recorders} i WHERE i.name = r.holder ORDER BY i.beat DESC LIMIT 1),
        (SELECT n.last_beat FROM {incumbents} n WHERE n.lock_id = r.lock_id))) END\
      """;

  /**
   * The later of the last beat and the last settled slot; for a released recorder, the time of its
   * release.
   */
  private static final String SIGN =
      "CASE WHEN r.holder IS NULL THEN r.released_at ELSE greatest(r.settled_at, {last_beat}) END";

  /** The pieces {@code {last_beat}} and {@code {last_sign}}. */
  public static final Map<String, String> PIECES = Map.of("last_beat", BEAT, "last_sign", SIGN);

  private LastSign() {}
}
