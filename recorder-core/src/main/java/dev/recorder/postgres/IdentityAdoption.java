package dev.recorder.postgres;

import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.RecorderName;
import dev.recorder.slotlog.Adoption;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.Term;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Settles a slot whose row this database does not have: it has lost history (a promoted
 * asynchronous standby, a point-in-time restore, a crash with asynchronous commits).
 *
 * <p>Believing such an object's window would lose rows that were committed here under the same
 * numbers. So each of its lines is compared with the row of this database that it names; rows that
 * are in the object go into {@code exclusions}, in the transaction that settles the slot, and later
 * reads pass over them. The position stays where it is.
 */
final class IdentityAdoption {
  private static final int CHUNK = 1_000;

  private final Term term;
  private final SlotReader source;
  private final SlotStatements slots;
  private final String rowsSql;
  private final String excludeSql;
  private final String recordSql;
  private final String receiptSql;

  /** Compares what this view shows of an xid: its lower half. */
  private static final String PREPARED_SQL =
      "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"
          + " AND transaction::text::bigint = ANY (?::bigint[]) LIMIT 1";

  IdentityAdoption(SchemaNames schemas, RecorderName recorder, Term term, SlotReader source) {
    this.term = term;
    this.source = source;
    this.slots = new SlotStatements(schemas, term);
    this.rowsSql =
        "SELECT "
            + HandoffQuery.COLUMNS
            + " FROM unnest(?::xid8[], ?::bigint[]) AS named(xid, id)"
            + " JOIN "
            + schemas.handoffTable(recorder)
            + " h ON h.xid = named.xid AND h.id = named.id";
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

  LedgerEvent adopt(Connection connection, LogHead head, ObjectMetadata object)
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
    for (int from = 0; from < lines.size(); from += CHUNK) {
      List<RecordedLine> chunk = lines.subList(from, Math.min(from + CHUNK, lines.size()));
      matched += exclude(connection, object.slot(), matching(connection, chunk));
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
          1, array(lines.stream().map(l -> Long.toString(l.xid() & 0xffff_ffffL)).toList()));
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getString(1) : "";
      }
    }
  }

  /** The lines that are, byte for byte, the lines of rows in this database. */
  private List<RecordedLine> matching(Connection connection, List<RecordedLine> lines)
      throws SQLException {
    Map<Long, List<RecordedLine>> byId =
        lines.stream()
            .collect(Collectors.groupingBy(RecordedLine::id, HashMap::new, Collectors.toList()));
    List<RecordedLine> matching = new ArrayList<>();
    LineEncoder encoder = new LineEncoder();
    try (PreparedStatement statement = connection.prepareStatement(rowsSql)) {
      bindRows(statement, 1, lines);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          byte[] line = encoder.encode(HandoffQuery.row(rows));
          byId.getOrDefault(rows.getLong(1), List.of()).stream()
              .filter(recorded -> recorded.is(line))
              .findFirst()
              .ifPresent(matching::add);
        }
      }
    }
    return matching;
  }

  private int exclude(Connection connection, long slot, List<RecordedLine> lines)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(excludeSql)) {
      statement.setInt(1, term.lockId());
      statement.setLong(2, slot);
      bindRows(statement, 3, lines);
      return statement.executeUpdate();
    }
  }

  private static void bindRows(PreparedStatement statement, int first, List<RecordedLine> lines)
      throws SQLException {
    statement.setString(
        first, array(lines.stream().map(l -> Long.toUnsignedString(l.xid())).toList()));
    statement.setString(first + 1, array(lines.stream().map(l -> Long.toString(l.id())).toList()));
  }

  private static String array(List<String> numbers) {
    return "{" + String.join(",", numbers) + "}";
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
