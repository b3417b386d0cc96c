package dev.recorder.postgres;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.slotlog.Term;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the next rows of a hand-off table and packs them into a slot's content.
 *
 * <p>The first statement checks the term and takes the snapshot, in one; the rows are then those
 * that snapshot sees and the recorded position does not. Later statements see at least as much
 * (READ COMMITTED), and what they see more is filtered out by {@code pg_visible_in_snapshot}.
 */
public final class HandoffReader {
  private final Term term;
  private final Form form;
  private final HandoffQuery query;
  private final String checkSql;

  /** How a slot is cut and packed. */
  public record Form(Rotation rotation, Compression compression) {}

  HandoffReader(SchemaNames schemas, RecorderName recorder, Term term, Form form) {
    this.term = term;
    this.form = form;
    this.query = new HandoffQuery(schemas, recorder, term.lockId());
    this.checkSql =
        "SELECT pg_current_snapshot()::text FROM "
            + schemas.table("lock_recorders")
            + " WHERE lock_id = ? AND epoch = ? AND holder = ? AND last_slot = ?";
  }

  LedgerEvent read(Connection connection, Effect.Read read, String session) throws SQLException {
    connection.setAutoCommit(false); // a cursor lives in a transaction
    try {
      return readInTransaction(connection, read, session);
    } finally {
      SlotStatements.endTransaction(connection);
    }
  }

  private LedgerEvent readInTransaction(Connection connection, Effect.Read read, String session)
      throws SQLException {
    Optional<Snapshot> now = check(connection, read.lastSlot());
    if (now.isEmpty()) {
      return new Event.Fenced();
    }
    if (!read.position().isCoveredBy(now.get())) {
      return new Event.DatabaseRefused(
          "this database is older than its log (it stands at snapshot "
              + now.get()
              + ", the log at "
              + read.position()
              + "): it was restored or dumped and reloaded;"
              + " run 'recorder rebase' once you know its rows");
    }
    Position position = read.position();
    Snapshot open = position.open();
    if (open != null) {
      LedgerEvent rest = pack(connection, read, session, position, open);
      if (rest != null) {
        return rest;
      }
      position = Position.doneUpTo(open);
    }
    LedgerEvent next = pack(connection, read, session, position, now.get());
    return next == null ? new Event.NothingWaiting() : next;
  }

  private Optional<Snapshot> check(Connection connection, long lastSlot) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(checkSql)) {
      statement.setInt(1, term.lockId());
      statement.setLong(2, term.epoch());
      statement.setString(3, term.machine());
      statement.setLong(4, lastSlot);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(Snapshot.parse(row.getString(1))) : Optional.empty();
      }
    }
  }

  /** The content of the window from {@code position} to {@code to}; null if no row is in it. */
  private @Nullable LedgerEvent pack(
      Connection connection, Effect.Read read, String session, Position position, Snapshot to)
      throws SQLException {
    SlotContentBuilder content = new SlotContentBuilder(form.rotation(), form.compression());
    boolean all = true;
    try (PreparedStatement statement =
            query.prepare(connection, position, to, form.rotation().rows() + 1);
        ResultSet rows = statement.executeQuery()) {
      while (all && rows.next()) {
        HandoffRow row = HandoffQuery.row(rows);
        all = content.offer(row);
      }
    }
    if (content.isEmpty()) {
      return null;
    }
    if (read.onlyIfFull() && all) {
      return new Event.NotFull();
    }
    Window window = new Window(position.done(), to, all);
    return new Event.Built(content.build(read.slot(), session, window));
  }
}
