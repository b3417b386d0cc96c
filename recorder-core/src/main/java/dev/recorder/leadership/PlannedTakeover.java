package dev.recorder.leadership;

import org.jspecify.annotations.Nullable;

/**
 * The planned actions by which this host becomes active for a recorder.
 *
 * @param eviction of the silent holder before the take; null if the recorder is free or about to be
 */
record PlannedTakeover(ControlAction.@Nullable Evict eviction, ControlAction.Take take) {
  int lockId() {
    return take.lockId();
  }
}
