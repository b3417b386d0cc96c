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
 * <p>The first statement checks the term and takes the snapshot, in one; the rows are then those
 * that snapshot sees and the recorded position does not. Later statements see at least as much
 * (READ COMMITTED), and what they see more is filtered out by {@code pg_visible_in_snapshot}. Each
 * is a transaction of its own: nothing is held between them.
 *
 * <p>Keeps the shares of memory of the contents that it has built, until it is told that they are
 * no longer needed. For one thread, except {@link #close}.
 */
public final class HandoffReader {
  private final RecorderName recorder;
  private final Term term;
  private final SlotForm form;
  private final WaitingRows rows;
  private final Sql check;
  private final SlotShares shares;

  /** How long a line is, by the last content. */
  private long usualLine;

  private final AvoidedTransactions longTransactions = new AvoidedTransactions();

  /**
   * How a slot is cut and packed.
   *
   * @param budget the memory that it shares with others
   * @param packing where rows are hashed and compressed while the next are read
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

  /** The memory of all contents up to this slot's is free again. */
  void isDoneWith(long slot) {
    shares.releaseUpTo(slot);
  }

  /** So is that of all others, for good. For any thread. */
  void close() {
    shares.close();
  }

  LedgerEvent read(Connection connection, Effect.Read read, SlotContent.Origin origin)
      throws SQLException {
    // A read that is not ahead starts over: nothing that was built before is wanted any more.
    shares.shrinkAllBut(read.isAhead() ? read.slot() - 1 : 0);
    Optional<Moment> moment = check(connection, read.lastSlot());
    if (moment.isEmpty()) {
      return new Event.Fenced();
    }
    if (moment.get().paused()) {
      shares.release(read.slot()); // It may stand in the queue for room, before others.
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

  /** Visible for its cost to be tested. */
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
   * What the check saw: the statement's snapshot, whether any rows are excluded, whether the
   * recorder is paused, and the server's time after that snapshot.
   */
  private record Moment(Snapshot snapshot, boolean exclusions, boolean paused, Instant time) {}

  /**
   * The rows from a position to a snapshot.
   *
   * @param time of the server, after that snapshot
   */
  record ReadRange(
      Position from,
      Snapshot to,
      Instant time,
      boolean exclusions,
      LongTransactions longTransactions) {}

  /** The content of a stretch; null if no row is in it. */
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
        all = false; // What stands before it is recorded first.
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
