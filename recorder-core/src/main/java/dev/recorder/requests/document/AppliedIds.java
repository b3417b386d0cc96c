package dev.recorder.requests.document;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Ids of requests, as they stand in an object's user metadata: ascending, the first as it is and
 * each other one as its distance to the one before, in base 36 and joined by dots.
 *
 * <p>S3 has room for 2 KB of user metadata; how many ids fit is how many requests a unit takes.
 */
public record AppliedIds(List<Long> ids) {
  /** In characters; what remains of the 2 KB is for the other entries. */
  static final int LONGEST_TEXT = 1200;

  static final AppliedIds NONE = new AppliedIds(List.of());

  private static final int RADIX = 36;

  /** Sorts, and drops what is there twice. */
  public AppliedIds {
    ids = List.copyOf(new TreeSet<>(ids));
  }

  static AppliedIds of(Collection<Long> ids) {
    return new AppliedIds(List.copyOf(ids));
  }

  /** As many of them, from the first on, as there is room for. */
  static AppliedIds firstOf(List<Long> ids) {
    AppliedIds fitting = NONE;
    int length = 0;
    for (int i = 0; i < ids.size() && length <= LONGEST_TEXT; i++) {
      AppliedIds more = of(ids.subList(0, i + 1));
      length = more.text().length();
      fitting = length <= LONGEST_TEXT ? more : fitting;
    }
    return fitting;
  }

  /** These and {@code id}. */
  AppliedIds with(long id) {
    List<Long> more = new ArrayList<>(ids);
    more.add(id);
    return new AppliedIds(more);
  }

  boolean fit() {
    return text().length() <= LONGEST_TEXT;
  }

  /** What {@link #parse} reads. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ids.size(); i++) {
      // A distance may exceed what a signed number holds; as an unsigned one it never does.
      text.append(
          i == 0
              ? Long.toString(ids.get(0), RADIX)
              : "." + Long.toUnsignedString(ids.get(i) - ids.get(i - 1), RADIX));
    }
    return text.toString();
  }

  /**
   * Reads what {@link #text} gave.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  static AppliedIds parse(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    List<Long> ids = new ArrayList<>();
    for (String part : text.split("\\.", -1)) {
      if (ids.isEmpty()) {
        ids.add(Long.parseLong(part, RADIX));
      } else {
        long before = ids.get(ids.size() - 1);
        ids.add(before + Long.parseUnsignedLong(part, RADIX));
      }
    }
    AppliedIds read = new AppliedIds(ids);
    // Other spellings, distances of 0 and sums that wrap around do not come back as they were.
    if (!read.text().equals(text)) {
      throw new IllegalArgumentException("not a list of ids: " + text);
    }
    return read;
  }
}
