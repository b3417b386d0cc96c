package dev.recorder.leadership;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The takeovers that the last watch decided and that are still to be done. First each silent holder
 * is evicted, once for all its recorders. Then all recorders are taken together. Pure; not
 * thread-safe.
 */
final class PlannedTakeovers {
  /** The most takes in one action, which then delays a heartbeat by some tens of milliseconds. */
  private static final int MOST_AT_ONCE = 256;

  private final Deque<PlannedTakeover> decided = new ArrayDeque<>();
  private final Set<String> evicted = new HashSet<>();
  private boolean oneByOne;

  void add(PlannedTakeover takeover) {
    decided.add(takeover);
  }

  /** Forgets all decisions, before a new watch decides. */
  void forget() {
    decided.clear();
    evicted.clear();
  }

  void forget(int lockId) {
    decided.removeIf(takeover -> takeover.lockId() == lockId);
  }

  /** Takes recorders one by one from now on, as one unavailable row has held up the others. */
  void takeOneByOne() {
    oneByOne = true;
  }

  /**
   * Notes that all decisions of a watch have been added. If there are none, the next takes can be
   * tried together again.
   */
  void decidedAll() {
    oneByOne &= !decided.isEmpty();
  }

  /**
   * Returns the next eviction of a holder that was not evicted since the last watch; null if there
   * is none.
   */
  ControlAction.@Nullable Evict nextEviction() {
    for (PlannedTakeover takeover : decided) {
      ControlAction.Evict eviction = takeover.eviction();
      if (eviction != null && evicted.add(eviction.holder())) {
        return eviction;
      }
    }
    return null;
  }

  /** Returns the next takes as one action; null if there are none. */
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
