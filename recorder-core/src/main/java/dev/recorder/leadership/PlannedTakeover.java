package dev.recorder.leadership;

import org.jspecify.annotations.Nullable;

/**
 * One decision by which this machine would become active for a recorder.
 *
 * @param eviction of its silent holder, which the take is to follow; null if the recorder is free,
 *     or about to be
 */
record PlannedTakeover(ControlAction.@Nullable Evict eviction, ControlAction.Take take) {
  int lockId() {
    return take.lockId();
  }
}
