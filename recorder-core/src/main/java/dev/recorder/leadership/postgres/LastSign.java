package dev.recorder.leadership.postgres;

import java.util.Map;

/**
 * When somebody was last known to be at work on a recorder, by the server's clock, as SQL about its
 * row {@code r} of {@code lock_recorders}.
 *
 * <p>A host's row in {@code info_recorders} shows the beat of its latest session, which says
 * nothing of a term of a former one: what that session beat last is kept in {@code incumbents} when
 * its host registers anew.
 */
public final class LastSign {

  /**
   * The holder's last beat, on the session of its term; null if nobody holds it. The beginning of
   * the term counts: a beat that is older was kept of an earlier term.
   *
   * <p>The former holder's row is the latest of its versions, which the index shows first.
   */
  private static final String BEAT =
      """
      CASE WHEN r.holder IS NOT NULL THEN greatest(r.begun_at, coalesce(
        (SELECT CASE WHEN i.pid = r.holder_pid AND i.backend_start = r.holder_backend_start
          THEN i.update_time END
        FROM {info_recorders} i WHERE i.name = r.holder ORDER BY i.beat DESC LIMIT 1),
        (SELECT n.last_beat FROM {incumbents} n WHERE n.lock_id = r.lock_id))) END\
      """;

  /** The later of that and the last settled slot; of one that was released its release. */
  private static final String SIGN =
      "CASE WHEN r.holder IS NULL THEN r.released_at ELSE greatest(r.settled_at, {last_beat}) END";

  /** {@code {last_beat}} and {@code {last_sign}}. */
  public static final Map<String, String> PIECES = Map.of("last_beat", BEAT, "last_sign", SIGN);

  private LastSign() {}
}
