package dev.recorder.postgres.sql;

/**
 * Queries that find frequently updated rows without scanning their old versions, which a dump or a
 * standby may keep the server from removing.
 *
 * <p>An index orders versions with the same key by their place, and while none is removed, each new
 * version comes after the older ones. A backward scan therefore reads the visible version first,
 * and stops there because of {@code LIMIT 1}. A descending order between two equal bounds forces
 * that scan: with a condition on one key, the planner would drop the order. The places of versions
 * change only the number of versions read, never the result.
 */
public final class LatestRowVersion {

  /** The place of the row of {@code lock_recorders} with the lockid {@code :lock}. */
  public static final String LOG =
      """
      SELECT ctid FROM {lock_recorders} WHERE lock_id >= :lock AND lock_id <= :lock
      ORDER BY lock_id DESC LIMIT 1\
      """;

  /** All rows of {@code lock_recorders}, as the query {@code logs} of a WITH RECURSIVE. */
  public static final String LOGS =
      """
      logs AS (
        (SELECT * FROM {lock_recorders} ORDER BY lock_id DESC LIMIT 1)
        UNION ALL
        SELECT next.* FROM logs l CROSS JOIN LATERAL (
          SELECT * FROM {lock_recorders} WHERE lock_id < l.lock_id
          ORDER BY lock_id DESC LIMIT 1) next)\
      """;

  /** All rows of {@code info_recorders}, as the query {@code machines} of a WITH RECURSIVE. */
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
