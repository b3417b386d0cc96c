package dev.recorder.audit;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.RecordedLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * One slot's lines against the rows of its window, which come one by one in the order (xid, id).
 */
final class Comparison implements Consumer<HandoffRow> {
  private final String place;
  private final Suspects suspects;
  private final LineEncoder encoder = new LineEncoder();
  private final List<RecordedLine> lines;
  private final List<RecordedLine> surplus = new ArrayList<>();
  private int next;
  private long matched;
  private long missing;

  /**
   * A comparison that tells {@code suspects} which rows are missing.
   *
   * @param place where the rows should be, such as {@code slot 7}
   */
  Comparison(String place, List<RecordedLine> lines, Suspects suspects) {
    this.place = place;
    this.suspects = suspects;
    // Sorted, so that lines in the wrong order are not taken for lost ones.
    this.lines = new ArrayList<>(lines);
    this.lines.sort(Comparator.comparing(RowKey::of));
  }

  @Override
  public void accept(HandoffRow row) {
    RowKey key = RowKey.of(row);
    while (next < lines.size() && RowKey.of(lines.get(next)).compareTo(key) < 0) {
      surplus.add(lines.get(next++));
    }
    byte[] encoded = encoder.encode(row);
    boolean found = false;
    while (next < lines.size() && RowKey.of(lines.get(next)).equals(key)) {
      RecordedLine line = lines.get(next++);
      if (!found && line.is(encoded)) {
        found = true;
      } else {
        surplus.add(line);
      }
    }
    if (found) {
      matched++;
    } else {
      missing++;
      suspects.missing(place, key, encoded);
    }
  }

  /** Lines that no row accounted for; call once, after the last row. */
  List<RecordedLine> surplus() {
    surplus.addAll(lines.subList(next, lines.size()));
    next = lines.size();
    return surplus;
  }

  long matched() {
    return matched;
  }

  long missing() {
    return missing;
  }
}
