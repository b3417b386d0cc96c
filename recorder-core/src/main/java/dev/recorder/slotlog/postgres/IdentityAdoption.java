package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.RowKey;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.SqlArrays;
import dev.recorder.postgres.Transaction;
import dev.recorder.slotlog.Adoption;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Settles a slot whose row this database does not have: it has lost history (a promoted
 * asynchronous standby, a point-in-time restore, a crash with asynchronous commits).
 *
 * <p>Believing such an object's window would lose rows that were committed here under the same
 * numbers. So each of its lines is compared with the row of this database that it names; rows that
 * are in the object go into {@code exclusions}, in the transaction that settles the slot, and later
 * reads pass over them. The position stays where it is.
 */
public final class IdentityAdoption {
  private final Term term;
  private final SlotReader source;
  private final SlotStatements slots;
  private final RowIdentity identity;
  private final String excludeSql;
  private final String recordSql;
  private final String receiptSql;

  /** Compares what this view shows of an xid: its lower half. */
  private static final String PREPARED_SQL =
      "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"
          + " AND transaction::text::bigint = ANY (?::bigint[]) LIMIT 1";

  public IdentityAdoption(
      SchemaNames schemas, RecorderName recorder, Term term, SlotReader source) {
    this.term = term;
    this.source = source;
    this.slots = new SlotStatements(schemas, term);
    this.identity = new RowIdentity(schemas, recorder);
    this.excludeSql =
        "INSERT INTO "
            + schemas.table("exclusions")
            + " (lock_id, slot, xid, id)"
            + " SELECT ?, ?, named.xid, named.id"
            + " FROM unnest(?::xid8[], ?::bigint[]) AS named(xid, id) ON CONFLICT DO NOTHING";
    this.recordSql =
        "INSERT INTO "
            + schemas.table("slots")
            + " (lock_id, slot, sha256, epoch, writer, row_count, first_xid, first_id, last_xid,"
            + " last_id, bytes, planned_at)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?::xid8, ?, ?::xid8, ?, ?, clock_timestamp())"
            + " ON CONFLICT DO NOTHING";
    this.receiptSql =
        "UPDATE "
            + schemas.table("takeovers")
            + " SET detail = concat_ws('; ', detail, ?::text) WHERE lock_id = ? AND to_epoch = ?";
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
    LogHead adopted = new LogHead(object.slot(), head.firstSlot(), head.position());
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

  /**
   * A transaction that this database has prepared and not ended, and that the lines name; empty if
   * there is none. It came here with the history that was not lost; the lost one had its commit.
   */
  private static String prepared(Connection connection, List<RecordedLine> lines)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PREPARED_SQL)) {
      statement.setString(
          1, SqlArrays.of(lines.stream().map(l -> Long.toString(l.xid() & 0xffff_ffffL)).toList()));
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getString(1) : "";
      }
    }
  }

  private int exclude(Connection connection, long slot, List<RowKey> rows) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(excludeSql)) {
      statement.setInt(1, term.lockId());
      statement.setLong(2, slot);
      RowIdentity.bind(statement, 3, rows);
      return statement.executeUpdate();
    }
  }

  /** A row without a window: this slot is known by its rows only. */
  private void record(Connection connection, ObjectMetadata object, List<RecordedLine> lines)
      throws SQLException {
    RecordedLine first = lines.get(0);
    RecordedLine last = lines.get(lines.size() - 1);
    try (PreparedStatement statement = connection.prepareStatement(recordSql)) {
      int p = 1;
      statement.setInt(p++, term.lockId());
      statement.setLong(p++, object.slot());
      statement.setString(p++, object.sha256());
      statement.setLong(p++, object.epoch());
      statement.setString(p++, object.writer());
      statement.setInt(p++, lines.size());
      statement.setString(p++, Long.toUnsignedString(first.xid()));
      statement.setLong(p++, first.id());
      statement.setString(p++, Long.toUnsignedString(last.xid()));
      statement.setLong(p++, last.id());
      statement.setLong(p, lines.stream().mapToLong(line -> line.bytes().length).sum());
      statement.executeUpdate();
    }
  }

  private void noteInReceipt(Connection connection, ObjectMetadata object, Adoption adoption)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(receiptSql)) {
      statement.setString(
          1,
          "this database has lost history: slot "
              + object.slot()
              + " by "
              + object.writer()
              + " adopted by row identity, "
              + adoption.rowsMatched()
              + " of "
              + adoption.rowsInObject()
              + " rows are here");
      statement.setInt(2, term.lockId());
      statement.setLong(3, term.epoch());
      statement.executeUpdate();
    }
  }
}
