package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.RowKey;
import dev.recorder.handoff.Term;
import dev.recorder.logging.Plurals;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.Adoption;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settles a slot whose row this database does not have: it has lost history (a promoted
 * asynchronous standby, a point-in-time restore, a crash with asynchronous commits).
 *
 * <p>Trusting such an object's window would lose rows that were committed here under the same
 * numbers. So each line is compared with the row of this database that it names. Rows that are in
 * the object go into {@code exclusions}, in the transaction that settles the slot, and later reads
 * skip them. The position does not change.
 */
public final class IdentityAdoption {
  private final Term term;
  private final SlotReader source;
  private final SlotStatements slots;
  private final RowIdentity identity;
  private final Sql exclude;
  private final Sql record;
  private final Sql note;

  public IdentityAdoption(
      SchemaNames schemas, RecorderName recorder, Term term, SlotReader source) {
    this.term = term;
    this.source = source;
    this.slots = new SlotStatements(schemas, term);
    this.identity = new RowIdentity(schemas, recorder);
    this.exclude = Sql.in(schemas, EXCLUDE, Map.of("named", RowIdentity.NAMED));
    this.record = Sql.in(schemas, RECORD);
    this.note = Sql.in(schemas, NOTE);
  }

  public LedgerEvent adopt(Connection connection, LogHead head, ObjectMetadata object)
      throws SQLException {
    long slot = head.lastSlot() + 1;
    Optional<SlotReader.Slot> read;
    try {
      read = source.read(slot);
    } catch (SlotReader.UnreadableSlotException e) {
      return e.isUnreachable()
          ? new Event.DatabaseUnclear(String.valueOf(e.getMessage()))
          : new Event.DatabaseRefused(String.valueOf(e.getMessage()));
    }
    if (read.isEmpty()) {
      return new Event.DatabaseUnclear("slot " + slot + " was there and is not: looking again");
    }
    try (Transaction transaction = Transaction.begin(connection)) {
      LedgerEvent event = adopt(connection, head, object, read.get());
      if (event instanceof Event.Adopted) {
        transaction.commit();
      }
      return event;
    }
  }

  private LedgerEvent adopt(
      Connection connection, LogHead head, ObjectMetadata object, SlotReader.Slot slot)
      throws SQLException {
    LogHead adopted = head.adopting(object, head.position());
    if (!slots.advance(connection, head.lastSlot(), adopted)) {
      return new Event.Fenced();
    }
    int matched = 0;
    List<RecordedLine> lines = slot.lines();
    String prepared = prepared(connection, lines);
    if (!prepared.isEmpty()) {
      return new Event.DatabaseUnclear(
          "slot "
              + object.slot()
              + " may hold rows of the prepared transaction '"
              + prepared
              + "', which cannot be compared before it is committed or rolled back: waiting");
    }
    for (int from = 0; from < lines.size(); from += RowIdentity.CHUNK) {
      int to = Math.min(from + RowIdentity.CHUNK, lines.size());
      List<RowKey> rows = identity.matching(connection, lines.subList(from, to));
      matched += exclude(connection, object.slot(), rows);
    }
    record(connection, object, lines);
    Adoption adoption = new Adoption(true, lines.size(), matched);
    noteInReceipt(connection, object, adoption);
    return new Event.Adopted(adopted, adoption);
  }

  /** Compares the lower 32 bits of xids, as the view shows only these. */
  private static final Sql PREPARED =
      Sql.of(
          """
          SELECT gid FROM pg_prepared_xacts
          WHERE database = current_database()
            AND (:any OR transaction::text::bigint = ANY (:xids::bigint[]))
          LIMIT 1
          """);

  /**
   * Returns the name of a prepared transaction that the lines may name; empty if there is none. If
   * a rebase replaced the number of a line, any prepared transaction may be meant. Its preparation
   * is in the history that this database kept, and its commit in the history that was lost.
   */
  private static String prepared(Connection connection, List<RecordedLine> lines)
      throws SQLException {
    try (SqlStatement statement = PREPARED.on(connection)) {
      return statement
          .set("any", lines.stream().anyMatch(line -> line.xid() == RowIdentity.WAITING))
          .set(
              "xids",
              SqlArrays.of(lines.stream().map(l -> Long.toString(l.xid() & 0xffff_ffffL)).toList()))
          .first(row -> row.getString(1))
          .orElse("");
    }
  }

  private static final String EXCLUDE =
      """
      INSERT INTO {exclusions} (lock_id, slot, xid, id)
      SELECT :lock, :slot, named.xid, named.id FROM {named}
      ON CONFLICT DO NOTHING
      """;

  private int exclude(Connection connection, long slot, List<RowKey> rows) throws SQLException {
    try (SqlStatement statement = exclude.on(connection)) {
      statement.set("lock", term.lockId()).set("slot", slot);
      return RowIdentity.bind(statement, rows).update();
    }
  }

  private static final String RECORD =
      """
      INSERT INTO {slots} (lock_id, slot, sha256, epoch, writer, row_count, first_xid, first_id,
        last_xid, last_id, bytes, planned_at)
      VALUES (:lock, :slot, :sha, :epoch, :writer, :rows, :firstXid::xid8, :firstId,
        :lastXid::xid8, :lastId, :bytes, clock_timestamp())
      ON CONFLICT DO NOTHING
      """;

  /** Inserts the slot's row without a window, as the slot is known by its rows only. */
  private void record(Connection connection, ObjectMetadata object, List<RecordedLine> lines)
      throws SQLException {
    RecordedLine first = lines.get(0);
    RecordedLine last = lines.get(lines.size() - 1);
    try (SqlStatement statement = record.on(connection)) {
      statement
          .set("lock", term.lockId())
          .set("slot", object.slot())
          .set("sha", object.sha256())
          .set("epoch", object.epoch())
          .set("writer", object.writer())
          .set("rows", lines.size())
          .set("firstXid", Long.toUnsignedString(first.xid()))
          .set("firstId", first.id())
          .set("lastXid", Long.toUnsignedString(last.xid()))
          .set("lastId", last.id())
          .set("bytes", lines.stream().mapToLong(line -> line.bytes().length).sum())
          .update();
    }
  }

  private static final String NOTE =
      """
      UPDATE {takeovers} SET detail = concat_ws('; ', detail, :detail::text)
      WHERE lock_id = :lock AND to_epoch = :epoch
      """;

  private void noteInReceipt(Connection connection, ObjectMetadata object, Adoption adoption)
      throws SQLException {
    String detail =
        "this database has lost history: slot "
            + object.slot()
            + " by "
            + object.writer()
            + " adopted by row identity, "
            + adoption.rowsMatched()
            + " of "
            + Plurals.of(adoption.rowsInObject(), "row is", "rows are")
            + " here";
    try (SqlStatement statement = note.on(connection)) {
      statement
          .set("detail", detail)
          .set("lock", term.lockId())
          .set("epoch", term.epoch())
          .update();
    }
  }
}
