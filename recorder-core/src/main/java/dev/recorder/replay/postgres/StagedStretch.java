package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;

/**
 * Changes of a table between two places, neither of them included.
 *
 * @param end only of slots before this one
 * @param since the place from which on, up to {@code from}, the table has had the same key
 */
record StagedStretch(String name, long end, Place since, Place from, Place to) {
  StagedStretch(String name, long end, Place from, Place to) {
    this(name, end, from, from, to);
  }

  /** Changes {@code c} of the stretch. */
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

  /** Those, and what has put or removed rows since {@link #since}. */
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

  private static SqlStatement bind(SqlStatement statement, String at, Place place)
      throws SQLException {
    return statement
        .set(at + "Era", place.era())
        .set(at + "Seq", place.seq())
        .set(at + "Slot", place.slot())
        .set(at + "Place", place.row());
  }
}
