package dev.recorder.postgres.sql;

/**
 * How rows that are updated all the time are found past their old versions, which a dump or a
 * standby keeps the server from removing.
 *
 * <p>Versions with the same key stand in an index in the order of their places, and while none goes
 * each new one comes to lie behind those before it. A backward scan of the index meets the visible
 * one first, and with {@code LIMIT 1} goes no further. It is told to by a descending order between
 * two bounds: of one key the planner knows that there is nothing to order. What is found does not
 * rest on where versions lie, only how many are looked at.
 */
public final class LatestVersion {

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

  private LatestVersion() {}
}
