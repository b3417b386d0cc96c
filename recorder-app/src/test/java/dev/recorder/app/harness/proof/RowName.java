package dev.recorder.app.harness.proof;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The name of a row: producer, transaction, place in it. */
record RowName(int producer, int transaction, int row) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,3})/(\\d{1,9})/(\\d{1,2})");

  /** Empty if no producer writes such names. */
  static Optional<RowName> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    return parts.matches() && Integer.parseInt(parts.group(3)) < Book.MOST_ROWS
        ? Optional.of(
            new RowName(
                Integer.parseInt(parts.group(1)),
                Integer.parseInt(parts.group(2)),
                Integer.parseInt(parts.group(3))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return producer + "/" + transaction + "/" + row;
  }
}
