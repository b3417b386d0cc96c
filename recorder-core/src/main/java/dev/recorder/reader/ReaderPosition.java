package dev.recorder.reader;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position of a reader: the row that it reads next. A row's slot and its number in the slot
 * never change. So an application that stores the position after the last processed row, in the
 * transaction that does the work, processes each row once.
 *
 * @param slot from 1
 * @param row from 1; the number after the slot's last row means the first row of the next slot
 */
public record ReaderPosition(long slot, int row) implements Comparable<ReaderPosition> {
  /** The beginning of a log without expired slots. */
  public static final ReaderPosition START = new ReaderPosition(1, 1);

  private static final Comparator<ReaderPosition> ORDER =
      Comparator.comparingLong(ReaderPosition::slot).thenComparingInt(ReaderPosition::row);
  private static final Pattern FORM = Pattern.compile("(\\d{1,18})(?::(\\d{1,9}))?");

  public ReaderPosition {
    if (slot < 1 || row < 1) {
      throw new IllegalArgumentException("slots and rows count from 1: " + slot + ":" + row);
    }
  }

  /** Returns the position of the first row of {@code slot}. */
  public static ReaderPosition of(long slot) {
    return new ReaderPosition(slot, 1);
  }

  /**
   * Reads {@code 17:204}, as {@link #toString} writes it, or {@code 17}, the first row of slot 17.
   *
   * @throws IllegalArgumentException if the text has neither form
   */
  public static ReaderPosition parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a slot, nor a slot and a row");
    }
    int row = form.group(2) == null ? 1 : Integer.parseInt(form.group(2));
    return new ReaderPosition(Long.parseLong(form.group(1)), row);
  }

  @Override
  public int compareTo(ReaderPosition other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return slot + ":" + row;
  }
}
