package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * The query for the last change of each key, which determines whether the row exists, and its
 * content.
 *
 * <p>An update puts its row even if no earlier change has put it. Snapshots rely on this for rows
 * that change while they run. The exception is an update after a delete of the same transaction:
 * then the row is gone. Foreign keys may change a row and then delete it in one statement, and the
 * triggers see the deletes of a statement apart from its updates, often first.
 */
final class LastChangeByKey {
  private LastChangeByKey() {}

  /**
   * {@code put} is the last change that put or removed the row: its place, whether it is a delete,
   * and its transaction.
   */
  private static final String LAST =
      """
      SELECT DISTINCT ON ({keys}) c.*, c.op = 'delete' OR c.op = 'update'
        AND coalesce(c.put[5] = 1 AND c.put[1] = c.era AND c.put[6] = c.xid::text::bigint, false)
        AS gone
      FROM (
        SELECT c.*,
          max(ARRAY[c.era, c.seq, c.slot, c.place, CASE c.op WHEN 'delete' THEN 1 ELSE 0 END,
              c.xid::text::bigint])
            FILTER (WHERE c.op <> 'update')
            OVER (PARTITION BY {keys} ORDER BY era DESC, seq DESC, slot DESC, place DESC
              ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS put
        FROM (
          SELECT {typed_keys}, c.op, c.xid, c.after, c.era, c.seq, c.slot, c.place
          FROM pg_temp.recorder_changes c, json_to_record(c.key) AS k ({key_read})
          WHERE {changes}) AS c) AS c
      ORDER BY {keys}, era DESC, seq DESC, slot DESC, place DESC
      """;

  /**
   * Returns a query for the key's columns, named k1 and so on, whether the row is {@code gone}, and
   * its content {@code after} the change.
   *
   * @param changes the condition on changes {@code c}
   */
  static String of(TableShape shape, String changes) {
    return SqlTemplate.fill(
        LAST,
        Map.of(
            "keys", shape.keys(),
            "typed_keys", shape.typedKeys("k"),
            "key_read", TableShape.read(shape.key()),
            "changes", changes));
  }
}
