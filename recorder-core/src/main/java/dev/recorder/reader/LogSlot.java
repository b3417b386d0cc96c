package dev.recorder.reader;

import dev.recorder.logging.Plurals;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.WindowPart;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A slot of a log, or the part of it from some row on. It has at least one row. Rows can be read in
 * order as {@link LogRow}s, or as bytes. Immutable, thread-safe. Holds the slot's content.
 */
public final class LogSlot implements Iterable<LogRow> {
  private final ReaderPosition position;
  private final byte[] content;
  private final int from;
  private final int rows;
  private final @Nullable ObjectMetadata metadata;

  /**
   * Makes a slot with the rows of {@code content} from {@code position} on.
   *
   * @param from offset of the row at {@code position}
   * @param rows number of rows in the whole slot
   * @param metadata the object's metadata; null if it has none
   */
  private LogSlot(
      ReaderPosition position,
      byte[] content,
      int from,
      int rows,
      @Nullable ObjectMetadata metadata) {
    this.position = position;
    this.content = content;
    this.from = from;
    this.rows = rows;
    this.metadata = metadata;
  }

  /** Makes a slot with all rows, without metadata. */
  static LogSlot of(long slot, byte[] content) {
    return of(slot, content, null);
  }

  /** Makes a slot with all rows. The content must end with a line feed. */
  static LogSlot of(long slot, byte[] content, @Nullable ObjectMetadata metadata) {
    int rows = 0;
    for (byte each : content) {
      rows += each == '\n' ? 1 : 0;
    }
    return new LogSlot(ReaderPosition.of(slot), content, 0, rows, metadata);
  }

  /** Returns the same slot from {@code row} on. The row must exist. */
  LogSlot from(int row) {
    int at = 0;
    for (int skipped = 1; skipped < row; skipped++) {
      at = endOfLine(at);
    }
    return new LogSlot(new ReaderPosition(slot(), row), content, at, rows, metadata);
  }

  private int endOfLine(int start) {
    int at = start;
    while (content[at] != '\n') {
      at++;
    }
    return at + 1;
  }

  public long slot() {
    return position.slot();
  }

  /**
   * Returns the position of the first row here. It is the slot's first row, unless a reader
   * continued within the slot.
   */
  public ReaderPosition position() {
    return position;
  }

  /** Returns the position from which to continue after this slot. */
  public ReaderPosition next() {
    return ReaderPosition.of(slot() + 1);
  }

  /**
   * Returns the window of the slot's rows, if the object states it. Only after the last slot of a
   * window has the log all rows of all transactions up to a moment.
   */
  public Optional<WindowPart> window() {
    return Optional.ofNullable(metadata).map(ObjectMetadata::window);
  }

  /**
   * Returns when the rows were read, by the database's clock, if the object states it. All rows
   * were committed before.
   */
  public Optional<Instant> readAt() {
    return Optional.ofNullable(metadata).map(ObjectMetadata::readAt);
  }

  /** Returns the chain in the object's metadata; empty if the object has none. */
  Optional<LogChain> chain() {
    return Optional.ofNullable(metadata).map(ObjectMetadata::chain);
  }

  /** Returns whether the slot was written after the slot with this chain. */
  boolean follows(LogChain before) {
    return metadata == null || metadata.chain().equals(before.then(metadata.sha256()));
  }

  /** Returns the number of rows in the slot, including those before {@link #position}. */
  public int rowsInSlot() {
    return rows;
  }

  /** Returns the number of bytes of the rows from {@link #position} on. */
  public int bytes() {
    return content.length - from;
  }

  /**
   * Writes the rows from {@link #position} on as NDJSON in UTF-8: exactly the bytes of the object.
   */
  public void writeTo(OutputStream out) throws IOException {
    out.write(content, from, bytes());
  }

  /** Returns the rows from {@link #position} on. */
  @Override
  public Iterator<LogRow> iterator() {
    return new Iterator<>() {
      private int at = from;
      private int row = position.row();

      @Override
      public boolean hasNext() {
        return at < content.length;
      }

      @Override
      public LogRow next() {
        if (!hasNext()) {
          throw new NoSuchElementException("slot " + slot() + " has " + Plurals.rows(rows));
        }
        int start = at;
        at = endOfLine(start);
        ReaderPosition place = new ReaderPosition(slot(), row++);
        ReaderPosition after =
            at < content.length ? new ReaderPosition(slot(), row) : LogSlot.this.next();
        return new LogRow(place, after, content, start, at);
      }
    };
  }

  @Override
  public String toString() {
    return "slot " + slot() + " from row " + position.row() + " of " + rows;
  }
}
