package dev.recorder.requests.document;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Ids of requests in an object's user metadata, in ascending order and joined by dots. The first id
 * is written in full, each further one as the difference to the one before, all in base 36.
 *
 * <p>S3 has room for 2 KB of user metadata; the number of ids that fit limits the requests of a
 * unit.
 */
public record AppliedIds(List<Long> ids) {
  /** The longest text in characters; the rest of the 2 KB is for the other entries. */
  static final int LONGEST_TEXT = 1200;

  static final AppliedIds NONE = new AppliedIds(List.of());

  private static final int RADIX = 36;

  /** Sorts the ids, and drops duplicates. */
  public AppliedIds {
    ids = List.copyOf(new TreeSet<>(ids));
  }

  static AppliedIds of(Collection<Long> ids) {
    return new AppliedIds(List.copyOf(ids));
  }

  /** Returns as many of the first ids as fit. */
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

  /** Returns these ids and {@code id}. */
  AppliedIds with(long id) {
    List<Long> more = new ArrayList<>(ids);
    more.add(id);
    return new AppliedIds(more);
  }

  boolean fit() {
    return text().length() <= LONGEST_TEXT;
  }

  /** The text for {@link #parse}. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ids.size(); i++) {
      // A difference may exceed a signed number, but not an unsigned one.
      text.append(
          i == 0
              ? Long.toString(ids.get(0), RADIX)
              : "." + Long.toUnsignedString(ids.get(i) - ids.get(i - 1), RADIX));
    }
    return text.toString();
  }

  /**
   * The inverse of {@link #text}.
   *
   * @throws IllegalArgumentException if the text is not one of {@link #text}
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
    // Other spellings, differences of 0 and overflows do not produce the same text.
    if (!read.text().equals(text)) {
      throw new IllegalArgumentException("not a list of ids: " + text);
    }
    return read;
  }
}
