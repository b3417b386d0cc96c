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
 * A slot of a log, from some row on: at least one row, in order, as {@link LogRow}s or in one
 * piece. Immutable, thread-safe; holds the slot's content.
 */
public final class LogSlot implements Iterable<LogRow> {
  private final ReaderPosition position;
  private final byte[] content;
  private final int from;
  private final int rows;
  private final @Nullable ObjectMetadata metadata;

  /**
   * The rows of {@code content} from {@code position} on.
   *
   * @param from offset of the first of them
   * @param rows number of rows in the whole slot
   * @param metadata the object's; null if it has none
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

  /** All rows of a slot without metadata. */
  static LogSlot of(long slot, byte[] content) {
    return of(slot, content, null);
  }

  /** All rows of a slot; its content ends with a line feed. */
  static LogSlot of(long slot, byte[] content, @Nullable ObjectMetadata metadata) {
    int rows = 0;
    for (byte each : content) {
      rows += each == '\n' ? 1 : 0;
    }
    return new LogSlot(ReaderPosition.of(slot), content, 0, rows, metadata);
  }

  /** The same slot from {@code row} on, which must exist. */
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
   * The position of the first row here: the slot's first row, unless a reader continued within the
   * slot.
   */
  public ReaderPosition position() {
    return position;
  }

  /** The position from which to continue after this slot. */
  public ReaderPosition next() {
    return ReaderPosition.of(slot() + 1);
  }

  /**
   * The window that the slot's rows are from, if the object states it. Only after the last slot of
   * a window are the rows so far those of all transactions up to a moment.
   */
  public Optional<WindowPart> window() {
    return Optional.ofNullable(metadata).map(ObjectMetadata::window);
  }

  /**
   * When the rows were read, by the database's clock, if the object states it: all of them were
   * committed before.
   */
  public Optional<Instant> readAt() {
    return Optional.ofNullable(metadata).map(ObjectMetadata::readAt);
  }

  /** The chain that its object has; empty if it does not say it. */
  Optional<LogChain> chain() {
    return Optional.ofNullable(metadata).map(ObjectMetadata::chain);
  }

  /** Whether it was written behind the slot that has this chain. */
  boolean follows(LogChain before) {
    return metadata == null || metadata.chain().equals(before.then(metadata.sha256()));
  }

  /** The number of rows in the slot, including those before {@link #position}. */
  public int rowsInSlot() {
    return rows;
  }

  /** The bytes of the rows from {@link #position} on. */
  public int bytes() {
    return content.length - from;
  }

  /**
   * Writes the rows from {@link #position} on as NDJSON in UTF-8: exactly the bytes of the object.
   */
  public void writeTo(OutputStream out) throws IOException {
    out.write(content, from, bytes());
  }

  /** The rows from {@link #position} on. */
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
