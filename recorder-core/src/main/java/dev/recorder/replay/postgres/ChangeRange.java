package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;

/**
 * The changes of a table between two places in the order of effects, both excluded.
 *
 * @param end only slots before this one
 * @param since the place from which on the table has had the same key, not after {@code from}
 */
record ChangeRange(
    String name, long end, EffectPosition since, EffectPosition from, EffectPosition to) {
  ChangeRange(String name, long end, EffectPosition from, EffectPosition to) {
    this(name, end, from, from, to);
  }

  /** The SQL condition that a change {@code c} is in this range. */
  static final String BETWEEN =
      """
      c.name = :name AND c.slot < :end AND c.op NOT IN ('schema', 'truncate')
        AND (c.era, c.seq, c.slot, c.place) > (:fromEra, :fromSeq, :fromSlot, :fromPlace)
        AND (c.era, c.seq, c.slot, c.place) < (:toEra, :toSeq, :toSlot, :toPlace)
      """;

  SqlStatement bind(SqlStatement statement) throws SQLException {
    statement.set("name", name).set("end", end);
    return bind(bind(statement, "from", from), "to", to);
  }

  /**
   * The SQL condition that a change {@code c} is in this range, or is a change since {@link
   * #since}, other than an update, that put or removed a row.
   */
  static final String BETWEEN_AND_EARLIER =
      """
      c.name = :name AND c.slot < :end AND c.op NOT IN ('schema', 'truncate')
        AND ((c.era, c.seq, c.slot, c.place) > (:fromEra, :fromSeq, :fromSlot, :fromPlace)
          OR c.op <> 'update'
          AND (c.era, c.seq, c.slot, c.place) > (:sinceEra, :sinceSeq, :sinceSlot, :sincePlace))
        AND (c.era, c.seq, c.slot, c.place) < (:toEra, :toSeq, :toSlot, :toPlace)
      """;

  SqlStatement bindWithEarlier(SqlStatement statement) throws SQLException {
    return bind(bind(statement), "since", since);
  }

  private static SqlStatement bind(SqlStatement statement, String at, EffectPosition place)
      throws SQLException {
    return statement
        .set(at + "Era", place.era())
        .set(at + "Seq", place.seq())
        .set(at + "Slot", place.slot())
        .set(at + "Place", place.row());
  }
}
