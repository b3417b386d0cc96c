package dev.recorder.reader;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.recorder.handoff.LineFields;
import java.io.IOException;
import java.io.OutputStream;

/** A row of a log: a line of an object, and its position. Immutable, thread-safe. */
public final class LogRow {
  private final ReaderPosition position;
  private final ReaderPosition next;
  private final byte[] content;
  private final int from;
  private final int to;

  /**
   * Makes the row of the line from {@code from} (inclusive) to {@code to} (exclusive, after the
   * line feed).
   */
  LogRow(ReaderPosition position, ReaderPosition next, byte[] content, int from, int to) {
    this.position = position;
    this.next = next;
    this.content = content;
    this.from = from;
    this.to = to;
  }

  public ReaderPosition position() {
    return position;
  }

  /** Returns the position from which to continue after this row. */
  public ReaderPosition next() {
    return next;
  }

  /** Returns the line, a JSON object, without its line feed. */
  public String text() {
    return new String(content, from, to - from - 1, UTF_8);
  }

  /** Writes the line in UTF-8, with its line feed: exactly the bytes of the object. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(content, from, to - from);
  }

  /**
   * Parses the line.
   *
   * @throws LogReadException if the line was not written by a recorder
   */
  public void read(LineFields fields) {
    String fault = "";
    try {
      fields.read(content, from, to);
    } catch (IllegalArgumentException nameless) {
      fault = ": " + nameless.getMessage();
    }
    if (!fault.isEmpty() || !fields.isReadable()) {
      throw new LogReadException(
          LogReadException.LogReadErrorKind.DAMAGED,
          "row " + position + " was not written by a recorder" + fault);
    }
  }

  @Override
  public String toString() {
    return position + " " + text();
  }
}
