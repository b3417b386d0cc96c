package dev.recorder.audit;

import dev.recorder.handoff.RecordedLine;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Rows about which one slot cannot decide: lines that a window does not account for, rows that a
 * slot should hold and does not, and ids met twice. A second look at the whole log, line by line,
 * tells what became of them.
 *
 * <p>The id alone proves nothing: after a database has lost history, ids are issued twice.
 */
final class Suspects {
  /** Bounds the memory of the second look; what comes beyond is judged at once, for the worse. */
  static final int MOST = 500_000;

  private final Tally tally;
  private final Function<byte[], LineHash> hashing;
  private final IdSet seen = new IdSet();
  private final IdSet suspected = new IdSet();
  private final Map<LineHash, Fault> missing = new LinkedHashMap<>();
  private final Map<LineHash, Fault> surplus = new LinkedHashMap<>();
  private final Map<LineHash, Long> occurrences = new HashMap<>();
  private final Set<Long> unplanned = new HashSet<>();
  private boolean overflowed;

  private record Fault(String place, RowKey row) {}

  /**
   * Suspects that are judged in {@code tally}.
   *
   * @param hashing what makes two lines one
   */
  Suspects(Tally tally, Function<byte[], LineHash> hashing) {
    this.tally = tally;
    this.hashing = hashing;
  }

  /** A line stands in {@code slot}. */
  void met(long slot, RecordedLine line) {
    if (!seen.add(line.id()) && !suspect(line.id())) {
      duplicate(slot, RowKey.of(line), "another slot");
    }
  }

  /** These lines stand in {@code slot}, and nothing says which rows belong there. */
  void unplanned(long slot, List<RecordedLine> lines) {
    unplanned.add(slot);
    lines.forEach(line -> suspect(line.id()));
  }

  /** A row that {@code place} should hold is not there. */
  void missing(String place, RowKey row, byte[] line) {
    Fault fault = new Fault(place, row);
    if (missing.size() < MOST && suspect(row.id())) {
      missing.put(hashing.apply(line), fault);
    } else {
      lost(fault);
    }
  }

  /** A line of {@code place}, a slot, is no row of its window. */
  void surplus(String place, RecordedLine line) {
    Fault fault = new Fault(place, RowKey.of(line));
    if (surplus.size() < MOST && suspect(line.id())) {
      surplus.putIfAbsent(hashing.apply(line.bytes()), fault);
    } else {
      foreign(fault);
    }
  }

  boolean needSecondLook() {
    return suspected.size() > 0;
  }

  /** The second look: a line stands in {@code slot}. */
  void lookAgain(long slot, RecordedLine line) {
    if (!suspected.contains(line.id())) {
      return;
    }
    LineHash hash = hashing.apply(line.bytes());
    Long first = occurrences.get(hash);
    if (first != null) {
      surplus.remove(hash);
      duplicate(slot, RowKey.of(line), first == slot ? "it" : "slot " + first);
    } else if (occurrences.size() < 2 * MOST) {
      occurrences.put(hash, slot);
    } else {
      overflowed = true;
    }
  }

  /** Judges what the second look has left over. */
  void judge() {
    missing.forEach(this::judgeMissing);
    surplus.forEach(
        (hash, fault) -> {
          if (!missing.containsKey(hash)) {
            foreign(fault);
          }
        });
    if (overflowed) {
      tally.duplicated(
          "more than " + 2 * MOST + " lines have ids that occur twice; not all were compared");
    }
  }

  private void judgeMissing(LineHash hash, Fault fault) {
    Long elsewhere = occurrences.get(hash);
    if (elsewhere == null) {
      lost(fault);
    } else if (!unplanned.contains(elsewhere)) {
      tally.outOfOrder(
          fault.row() + " belongs into " + fault.place() + " and is in slot " + elsewhere);
    }
  }

  private boolean suspect(long id) {
    if (suspected.contains(id)) {
      return true;
    }
    return suspected.size() < MOST && suspected.add(id);
  }

  private void duplicate(long slot, RowKey row, String where) {
    tally.duplicated("slot " + slot + " holds " + row + ", and " + where + " holds it already");
  }

  private void foreign(Fault fault) {
    tally.duplicated(
        fault.place() + " holds " + fault.row() + " in a line that no row of its window has");
  }

  private void lost(Fault fault) {
    tally.lost(1, fault.row() + " is lost: " + fault.place() + " should hold it, and no slot does");
  }
}
