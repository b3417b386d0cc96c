package dev.recorder.reader;

import dev.recorder.logging.Counted;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.WindowPart;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One slot of a log, from some row on: at least one row, in order, as {@link LogRow}s or in one
 * piece. Immutable, and so thread-safe; holds the slot's content.
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
   * @param from where the first of them begins
   * @param rows how many the whole slot has
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

  /** The same slot from {@code row} on, which it has. */
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

  /** Its number. */
  public long slot() {
    return position.slot();
  }

  /** Where it was begun: at its first row, except for a reader that goes on within it. */
  public ReaderPosition position() {
    return position;
  }

  /** Where to go on once all of it is done with. */
  public ReaderPosition next() {
    return ReaderPosition.of(slot() + 1);
  }

  /**
   * What its object says of the window that its rows are from: behind a window's last slot, and
   * nowhere else, the rows so far are those of all transactions up to a moment. Empty if the object
   * does not say it.
   */
  public Optional<WindowPart> window() {
    return Optional.ofNullable(metadata).map(ObjectMetadata::window);
  }

  /** The chain that its object has; empty if it does not say it. */
  Optional<LogChain> chain() {
    return Optional.ofNullable(metadata).map(ObjectMetadata::chain);
  }

  /** Whether it was written behind the slot that has this chain. */
  boolean follows(LogChain before) {
    return metadata == null || metadata.chain().equals(before.then(metadata.sha256()));
  }

  /** How many rows the slot has, those before {@link #position} among them. */
  public int rowsInSlot() {
    return rows;
  }

  /** Bytes of its rows from {@link #position} on. */
  public int bytes() {
    return content.length - from;
  }

  /** Its rows from {@link #position} on, as NDJSON in UTF-8: the very bytes of the object. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(content, from, bytes());
  }

  /** Its rows from {@link #position} on. */
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
          throw new NoSuchElementException("slot " + slot() + " has " + Counted.rows(rows));
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
