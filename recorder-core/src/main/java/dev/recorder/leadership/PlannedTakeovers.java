package dev.recorder.leadership;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the last look decided to take over and is yet to be done: first each silent holder is
 * evicted, once for all that it holds, then all is taken, together. Pure; not thread-safe.
 */
final class PlannedTakeovers {
  /** So that a heartbeat need not wait long behind them: it is some tens of milliseconds. */
  private static final int MOST_AT_ONCE = 256;

  private final Deque<PlannedTakeover> decided = new ArrayDeque<>();
  private final Set<String> evicted = new HashSet<>();
  private boolean oneByOne;

  void add(PlannedTakeover takeover) {
    decided.add(takeover);
  }

  /** What was decided before is decided anew. */
  void forget() {
    decided.clear();
    evicted.clear();
  }

  void forget(int lockId) {
    decided.removeIf(takeover -> takeover.lockId() == lockId);
  }

  /** One of the rows was not available, and kept the others back. */
  void takeOneByOne() {
    oneByOne = true;
  }

  /** All of a look has been decided: it can be tried together again when nothing is left. */
  void decidedAll() {
    oneByOne &= !decided.isEmpty();
  }

  /** The eviction of a holder that was not asked to go since the last look. */
  ControlAction.@Nullable Evict nextEviction() {
    for (PlannedTakeover takeover : decided) {
      ControlAction.Evict eviction = takeover.eviction();
      if (eviction != null && evicted.add(eviction.holder())) {
        return eviction;
      }
    }
    return null;
  }

  /** Takes are one action, if there are more than one. */
  @Nullable ControlAction nextTakes() {
    List<ControlAction.Take> takes = new ArrayList<>();
    int most = oneByOne ? 1 : MOST_AT_ONCE;
    while (takes.size() < most && !decided.isEmpty()) {
      takes.add(decided.remove().take());
    }
    return switch (takes.size()) {
      case 0 -> null;
      case 1 -> takes.get(0);
      default -> new ControlAction.TakeSeveral(takes);
    };
  }
}
