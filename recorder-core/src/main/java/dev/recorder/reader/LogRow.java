package dev.recorder.reader;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.recorder.handoff.LineFields;
import java.io.IOException;
import java.io.OutputStream;

/** One row of a log: a line of an object, and its place. Immutable, and so thread-safe. */
public final class LogRow {
  private final ReaderPosition position;
  private final ReaderPosition next;
  private final byte[] content;
  private final int from;
  private final int to;

  /** The line at {@code from} (inclusive) to {@code to} (exclusive, behind the line feed). */
  LogRow(ReaderPosition position, ReaderPosition next, byte[] content, int from, int to) {
    this.position = position;
    this.next = next;
    this.content = content;
    this.from = from;
    this.to = to;
  }

  /** Where it stands. */
  public ReaderPosition position() {
    return position;
  }

  /** Where to go on once it is done with. */
  public ReaderPosition next() {
    return next;
  }

  /** The line, a JSON object, without its line feed. */
  public String text() {
    return new String(content, from, to - from - 1, UTF_8);
  }

  /** The line in UTF-8, with its line feed: the very bytes of the object. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(content, from, to - from);
  }

  /**
   * Takes the line apart.
   *
   * @throws LogReadException if it is none that a recorder writes
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
