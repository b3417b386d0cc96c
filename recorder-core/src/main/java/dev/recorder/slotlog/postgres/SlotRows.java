package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RawRow;
import dev.recorder.handoff.Snapshot;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.slotlog.SlotContentBuilder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Fills one slot with the rows between a position and a snapshot: small rows in batches, large rows
 * one by one. Holds one row at a time, besides the content itself. For one use, on one thread.
 *
 * <p>A batch requests as many rows as should fill the rest of the slot, estimated from the size of
 * earlier rows. Surplus rows are skipped.
 */
final class SlotRows {
  /** The rows of a batch if the size of rows is not known. */
  private static final int FIRST_BATCH = 1_000;

  private static final int SMALLEST_BATCH = 16;
  private static final int LARGEST_BATCH = 20_000;

  private final Connection connection;
  private final WaitingRows rows;
  private final SlotContentBuilder content;
  private final SlotLimits limits;
  private Position position;
  private final Snapshot to;
  private final boolean exclusions;
  private final LongTransactions longTransactions;
  private boolean full;
  private boolean metLarge;

  /**
   * The limits of a slot.
   *
   * @param rows most rows
   * @param bytes most bytes of uncompressed content
   * @param usualLine bytes of a usual line; 0 if not known
   * @param budget the memory into which the largest row must fit
   */
  record SlotLimits(int rows, long bytes, long usualLine, MemoryBudget budget) {}

  SlotRows(
      Connection connection,
      WaitingRows rows,
      HandoffReader.ReadRange stretch,
      SlotContentBuilder content,
      SlotLimits limits) {
    this.connection = connection;
    this.rows = rows;
    this.content = content;
    this.limits = limits;
    this.position = stretch.from();
    this.to = stretch.to();
    this.exclusions = stretch.exclusions();
    this.longTransactions = stretch.longTransactions();
  }

  /** Takes the rows that fit, and returns whether these were all. */
  boolean takeAll() throws SQLException, UnrecordableRowException {
    List<String> ranges = HandoffRanges.between(position, to, longTransactions);
    while (!ranges.isEmpty() && !full) {
      // The ranges change with each batch. The first of the new ranges continues after it.
      ranges =
          takeBatch(ranges.get(0))
              ? HandoffRanges.between(position, to, longTransactions)
              : rest(ranges);
    }
    return !full;
  }

  private static List<String> rest(List<String> ranges) {
    return ranges.subList(1, ranges.size());
  }

  /** Takes one batch of a range, and returns whether the range may have more rows. */
  private boolean takeBatch(String range) throws SQLException, UnrecordableRowException {
    int limit = batch();
    int met = 0;
    List<RawRow> large = new ArrayList<>();
    RawRow before = null;
    try (BinaryCopy copy = new BinaryCopy(connection, rows.select(range, to, exclusions, limit))) {
      for (RawRow row = copy.next(); row != null; row = copy.next()) {
        met++;
        if (before != null && row.xid() == before.xid() && row.id() == before.id()) {
          throw UnrecordableRowException.repeated(row.xid(), row.id());
        }
        before = row;
        if (row.payloadLength() < 0) {
          large.add(row);
        } else if (!large.isEmpty()) {
          break; // The large rows come first, and cannot be fetched while the batch is read.
        } else if (!take(row)) {
          return false;
        }
      }
    }
    metLarge = !large.isEmpty();
    for (RawRow row : large) {
      if (!full) {
        takeLarge(row);
      }
    }
    return metLarge || met == limit;
  }

  private boolean take(RawRow row) {
    if (!content.offer(row)) {
      full = true;
      return false;
    }
    position = new Position(position.done(), to, row.xid(), row.id());
    return true;
  }

  private void takeLarge(RawRow place) throws SQLException, UnrecordableRowException {
    long size = sizeOf(place);
    if (!limits.budget().fits(size)) {
      throw new UnrecordableRowException(place.xid(), place.id(), limits.budget().misfit(size));
    }
    if (!content.hasRoomFor(size)) {
      full = true;
      return;
    }
    try (BinaryCopy copy = new BinaryCopy(connection, rows.one(place.xid(), place.id()))) {
      RawRow row = copy.next();
      if (row != null) { // Null if the row was deleted by hand since.
        take(row);
      }
    }
  }

  private long sizeOf(RawRow place) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(rows.sizeOf(place.xid(), place.id()))) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /**
   * Returns the size of the next batch: one row more than should fit, to detect that the slot is
   * full.
   */
  private int batch() {
    if (metLarge) {
      return SMALLEST_BATCH;
    }
    long line = content.isEmpty() ? limits.usualLine() : content.bytes() / content.rows();
    long fitting =
        line == 0
            ? FIRST_BATCH
            : Math.min(LARGEST_BATCH, (limits.bytes() - content.bytes()) / line) * 17 / 16 + 1;
    long most = Math.min(LARGEST_BATCH, limits.rows() - content.rows() + 1L);
    return (int) Math.max(SMALLEST_BATCH, Math.min(fitting, most));
  }
}
