package dev.recorder.postgres.sql;

/**
 * Queries that find frequently updated rows without scanning their old versions, which a dump or a
 * standby may keep the server from removing.
 *
 * <p>Versions with the same key are ordered by place in an index, and while none is removed each
 * new one lies behind the older ones. A backward scan therefore meets the visible version first,
 * and with {@code LIMIT 1} stops there. A descending order between two equal bounds forces that
 * scan; for a single key the planner would see nothing to order. The result does not depend on the
 * places of versions, only the number of versions read does.
 */
public final class LatestRowVersion {

  /** The place of the row of {@code lock_recorders} with the lockid {@code :lock}. */
  public static final String LOG =
      """
      SELECT ctid FROM {lock_recorders} WHERE lock_id >= :lock AND lock_id <= :lock
      ORDER BY lock_id DESC LIMIT 1\
      """;

  /** All rows of {@code lock_recorders}, as {@code logs} behind WITH RECURSIVE. */
  public static final String LOGS =
      """
      logs AS (
        (SELECT * FROM {lock_recorders} ORDER BY lock_id DESC LIMIT 1)
        UNION ALL
        SELECT next.* FROM logs l CROSS JOIN LATERAL (
          SELECT * FROM {lock_recorders} WHERE lock_id < l.lock_id
          ORDER BY lock_id DESC LIMIT 1) next)\
      """;

  /** All rows of {@code info_recorders}, as {@code machines} behind WITH RECURSIVE. */
  public static final String MACHINES =
      """
      machines AS (
        (SELECT * FROM {info_recorders} ORDER BY name DESC, beat DESC LIMIT 1)
        UNION ALL
        SELECT next.* FROM machines m CROSS JOIN LATERAL (
          SELECT * FROM {info_recorders} WHERE name < m.name
          ORDER BY name DESC, beat DESC LIMIT 1) next)\
      """;

  private LatestRowVersion() {}
}
