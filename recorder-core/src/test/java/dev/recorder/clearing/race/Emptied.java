package dev.recorder.clearing.race;

import dev.recorder.clearing.race.Journal.Cleared;
import dev.recorder.clearing.race.Journal.Insert;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The leaves that were emptied, in order, so that an insert is compared with one of them and not
 * with all. A leaf is emptied under a lock: from the check on nobody else empties it.
 */
final class Emptied {
  private static final NavigableMap<Long, Cleared> NONE = new TreeMap<>();

  /** By leaf, then by when it was about to be truncated. */
  private final Map<Integer, NavigableMap<Long, Cleared>> leaves = new HashMap<>();

  /** By block, then by when it was checked; late rows have a block's leaf emptied again. */
  private final Map<Long, NavigableMap<Long, Cleared>> blocks = new HashMap<>();

  private Emptied() {}

  static Emptied of(Collection<Cleared> cleared) {
    Emptied emptied = new Emptied();
    for (Cleared each : cleared) {
      emptied
          .leaves
          .computeIfAbsent(each.leaf(), first -> new TreeMap<>())
          .put(each.truncates(), each);
      emptied
          .blocks
          .computeIfAbsent(each.block(), first -> new TreeMap<>())
          .put(each.checked(), each);
    }
    return emptied;
  }

  /** Whether it was sent after a check and before the TRUNCATE, and came back after that. */
  boolean hasQueuedBefore(Insert insert) {
    Map.Entry<Long, Cleared> next =
        leaves.getOrDefault(insert.leaf(), NONE).higherEntry(insert.sent());
    return next != null
        && insert.sent() > next.getValue().checked()
        && insert.done() > next.getValue().truncates();
  }

  /** Whether its id was drawn before its block was cleared, and it was sent afterwards. */
  boolean hasComeBetween(Insert insert) {
    Map.Entry<Long, Cleared> next =
        blocks.getOrDefault(insert.block(), NONE).higherEntry(insert.drawn());
    return next != null && insert.sent() > next.getValue().done();
  }
}
