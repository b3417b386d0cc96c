package dev.recorder.leadership;

import org.jspecify.annotations.Nullable;

/**
 * A standby's decision about a recorder.
 *
 * @param reason why to take the recorder, or null to stay a standby
 * @param evict whether the holder's sessions must be ended first
 * @param why one sentence that explains the decision
 */
record Decision(@Nullable TakeoverReason reason, boolean evict, String why) {
  static Decision stay(String why) {
    return new Decision(null, false, why);
  }

  static Decision take(TakeoverReason reason, String why) {
    return new Decision(reason, false, why);
  }

  static Decision evictAndTake(String why) {
    return new Decision(TakeoverReason.SILENT, true, why);
  }
}
