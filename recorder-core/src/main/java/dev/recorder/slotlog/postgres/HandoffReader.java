package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Term;
import dev.recorder.handoff.Window;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.time.ByteQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the next rows of a hand-off table and packs them into a slot's content.
 *
 * <p>The first statement checks the term and takes the snapshot. The rows are those that this
 * snapshot sees and the recorded position does not. Later statements see at least as much (READ
 * COMMITTED), and {@code pg_visible_in_snapshot} filters out the additional rows. Each statement is
 * a transaction of its own, so nothing is held between them.
 *
 * <p>Keeps the memory shares of the contents that it has built until {@link #isDoneWith} or {@link
 * #close} releases them. For one thread, except {@link #close}.
 */
public final class HandoffReader {
  private final RecorderName recorder;
  private final Term term;
  private final SlotForm form;
  private final WaitingRows rows;
  private final Sql check;
  private final SlotShares shares;

  /** Bytes of a line on average, in the last content. */
  private long usualLine;

  private final AvoidedTransactions longTransactions = new AvoidedTransactions();

  /**
   * The form of slots: their limits and compression.
   *
   * @param budget the memory that all writers share
   * @param packing the threads that hash and compress rows while the next are read
   */
  public record SlotForm(
      Rotation rotation, Compression compression, MemoryBudget budget, ByteQueue.Threads packing) {}

  HandoffReader(SchemaNames schemas, RecorderName recorder, Term term, SlotForm form) {
    this.recorder = recorder;
    this.term = term;
    this.form = form;
    this.rows = new WaitingRows(schemas, recorder, term.lockId());
    this.shares = new SlotShares(form.budget());
    this.check = Sql.in(schemas, CHECK, SlotStatements.PIECES);
  }

  /** Releases the memory of all contents up to this slot. */
  void isDoneWith(long slot) {
    shares.releaseUpTo(slot);
  }

  /** Releases the memory of all contents, for good. For any thread. */
  void close() {
    shares.close();
  }

  LedgerEvent read(Connection connection, Effect.Read read, SlotContent.Origin origin)
      throws SQLException {
    // A read that is not ahead starts over: contents that were built before are not needed.
    shares.shrinkAllBut(read.isAhead() ? read.slot() - 1 : 0);
    Optional<Moment> moment = check(connection, read.lastSlot());
    if (moment.isEmpty()) {
      return new Event.Fenced();
    }
    if (moment.get().paused()) {
      shares.release(read.slot()); // Its share may be queued for memory, before other shares.
      return new Event.Paused();
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
    LongTransactions avoided = longTransactions.of(now);
    Position position = read.position();
    Snapshot open = position.open();
    if (open != null) {
      LedgerEvent rest =
          pack(
              connection,
              read,
              origin,
              new ReadRange(position, open, moment.get().time(), exclusions, avoided));
      if (rest != null) {
        longTransactions.told(rest);
        return rest;
      }
      position = Position.doneUpTo(open);
    }
    LedgerEvent next =
        pack(
            connection,
            read,
            origin,
            new ReadRange(position, now, moment.get().time(), exclusions, avoided));
    longTransactions.told(next);
    return next == null ? new Event.NothingWaiting() : next;
  }

  /** Visible for a test of its cost. */
  static final String CHECK =
      """
      SELECT pg_current_snapshot()::text,
        EXISTS (SELECT FROM {exclusions} e WHERE e.lock_id = r.lock_id),
        coalesce(r.paused_until > clock_timestamp(), false), clock_timestamp()
      FROM {lock_recorders} r
      WHERE {there} lock_id = :lock AND epoch = :epoch AND {held_by_term}
        AND last_slot = :lastSlot
      """;

  private Optional<Moment> check(Connection connection, long lastSlot) throws SQLException {
    try (SqlStatement statement = check.on(connection)) {
      return bindCheck(statement, term, lastSlot)
          .first(
              row ->
                  new Moment(
                      Snapshot.parse(row.getString(1)),
                      row.getBoolean(2),
                      row.getBoolean(3),
                      row.getObject(4, OffsetDateTime.class).toInstant()));
    }
  }

  static SqlStatement bindCheck(SqlStatement statement, Term term, long lastSlot)
      throws SQLException {
    return statement
        .set("lock", term.lockId())
        .set("epoch", term.epoch())
        .set("machine", term.machine())
        .set("lastSlot", lastSlot);
  }

  /**
   * The result of the check: the statement's snapshot, whether any rows are excluded, whether the
   * recorder is paused, and the server's time after that snapshot.
   */
  private record Moment(Snapshot snapshot, boolean exclusions, boolean paused, Instant time) {}

  /**
   * The range of rows from a position to a snapshot.
   *
   * @param time the server's time after that snapshot
   */
  record ReadRange(
      Position from,
      Snapshot to,
      Instant time,
      boolean exclusions,
      LongTransactions longTransactions) {}

  /** Packs the content of a range; returns null if no row is in it. */
  private @Nullable LedgerEvent pack(
      Connection connection, Effect.Read read, SlotContent.Origin origin, ReadRange stretch)
      throws SQLException {
    MemoryBudget.Share share = shares.of(read.slot());
    LedgerEvent event = pack(connection, read, origin, stretch, share);
    if (event instanceof Event.NoRoom && !read.isAhead()) {
      share.queueUp();
    } else if (!(event instanceof Event.Built)) {
      shares.release(read.slot());
    }
    return event;
  }

  private @Nullable LedgerEvent pack(
      Connection connection,
      Effect.Read read,
      SlotContent.Origin origin,
      ReadRange stretch,
      MemoryBudget.Share share)
      throws SQLException {
    try (SlotContentBuilder content =
        new SlotContentBuilder(form.rotation(), form.compression(), share, form.packing())) {
      SlotRows.SlotLimits limits =
          new SlotRows.SlotLimits(
              form.rotation().rows(), form.rotation().bytes(), usualLine, form.budget());
      boolean all;
      try {
        all = new SlotRows(connection, rows, stretch, content, limits).takeAll();
      } catch (UnrecordableRowException e) {
        if (content.isEmpty() || e.isRepeated()) {
          return new Event.DatabaseUnclear(e.of(rows.table()));
        }
        all = false; // The rows before it are recorded first.
      }
      if (content.isEmpty()) {
        return all ? null : new Event.NoRoom();
      }
      if (read.onlyIfFull() && all) {
        return new Event.NotFull(form.rotation().missing(content.rows(), content.bytes()));
      }
      usualLine = Math.max(1, content.bytes() / content.rows());
      Window window = new Window(stretch.from().done(), stretch.to(), all);
      SlotContent built = content.build(read.slot(), origin, stretch.time(), window);
      return new Event.Built(built);
    }
  }
}
