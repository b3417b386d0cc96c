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
  private final RecorderName recorder;
  private final Term term;
  private final Form form;
  private final HandoffQuery query;
  private final String checkSql;

  /** How a slot is cut and packed. */
  public record Form(Rotation rotation, Compression compression) {}

  HandoffReader(SchemaNames schemas, RecorderName recorder, Term term, Form form) {
    this.recorder = recorder;
    this.term = term;
    this.form = form;
    this.query = new HandoffQuery(schemas, recorder, term.lockId());
    this.checkSql =
        "SELECT pg_current_snapshot()::text, EXISTS (SELECT FROM "
            + schemas.table("exclusions")
            + " e WHERE e.lock_id = r.lock_id) FROM "
            + schemas.table("lock_recorders")
            + " r WHERE lock_id = ? AND epoch = ? AND holder = ? AND last_slot = ?";
  }

  LedgerEvent read(Connection connection, Effect.Read read, String session) throws SQLException {
    // A cursor lives in a transaction.
    try (Transaction cursors = Transaction.begin(connection)) {
      return readInTransaction(connection, read, session);
    }
  }

  private LedgerEvent readInTransaction(Connection connection, Effect.Read read, String session)
      throws SQLException {
    Optional<Moment> moment = check(connection, read.lastSlot());
    if (moment.isEmpty()) {
      return new Event.Fenced();
    }
    Snapshot now = moment.get().snapshot();
    boolean exclusions = moment.get().exclusions();
    if (!read.position().isCoveredBy(now)) {
      return new Event.DatabaseRefused(
          "this database is older than its log (it stands at snapshot "
              + now
              + ", the log at "
              + read.position()
              + "): it was restored, or dumped and loaded again; nothing more is recorded from it"
              + " until 'recorder rebase "
              + recorder
              + "', see the runbook, 'Restored databases'");
    }
    Position position = read.position();
    Snapshot open = position.open();
    if (open != null) {
      LedgerEvent rest = pack(connection, read, session, new Stretch(position, open, exclusions));
      if (rest != null) {
        return rest;
      }
      position = Position.doneUpTo(open);
    }
    LedgerEvent next = pack(connection, read, session, new Stretch(position, now, exclusions));
    return next == null ? new Event.NothingWaiting() : next;
  }

  private Optional<Moment> check(Connection connection, long lastSlot) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(checkSql)) {
      statement.setInt(1, term.lockId());
      statement.setLong(2, term.epoch());
      statement.setString(3, term.machine());
      statement.setLong(4, lastSlot);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(new Moment(Snapshot.parse(row.getString(1)), row.getBoolean(2)))
            : Optional.empty();
      }
    }
  }

  /** What the check saw: the statement's snapshot, and whether any rows are excluded. */
  private record Moment(Snapshot snapshot, boolean exclusions) {}

  /** The rows from a position to a snapshot. */
  private record Stretch(Position from, Snapshot to, boolean exclusions) {}

  /** The content of a stretch; null if no row is in it. */
  private @Nullable LedgerEvent pack(
      Connection connection, Effect.Read read, String session, Stretch stretch)
      throws SQLException {
    SlotContentBuilder content = new SlotContentBuilder(form.rotation(), form.compression());
    boolean all = true;
    try (PreparedStatement statement =
            query.prepare(
                connection,
                stretch.from(),
                stretch.to(),
                form.rotation().rows() + 1,
                stretch.exclusions());
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
    Window window = new Window(stretch.from().done(), stretch.to(), all);
    return new Event.Built(content.build(read.slot(), session, window));
  }
}
