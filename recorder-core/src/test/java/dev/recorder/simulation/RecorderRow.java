package dev.recorder.simulation;

import dev.recorder.handoff.Position;
import dev.recorder.slotlog.LogHead;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code lock_recorders}.
 *
 * @param settledBy the epoch whose statement moved {@code lastSlot} last; for the invariants only
 */
record RecorderRow(
    int lockId,
    UUID log,
    @Nullable String holder,
    @Nullable SessionId holderSession,
    @Nullable String lastHolder,
    long epoch,
    long lastSlot,
    Position position,
    long updatedAtMicros,
    long settledBy) {

  static RecorderRow fresh(int lockId, UUID log) {
    return new RecorderRow(lockId, log, null, null, null, 0, 0, Position.START, 0, 0);
  }

  RecorderRow heldBy(String machine, SessionId session, long at) {
    return new RecorderRow(
        lockId, log, machine, session, machine, epoch + 1, lastSlot, position, at, settledBy);
  }

  RecorderRow released(long at) {
    return new RecorderRow(
        lockId, log, null, null, lastHolder, epoch, lastSlot, position, at, settledBy);
  }

  RecorderRow advanced(long slot, Position to, long byEpoch, long at) {
    return new RecorderRow(
        lockId, log, holder, holderSession, lastHolder, epoch, slot, to, at, byEpoch);
  }

  LogHead head() {
    return new LogHead(lastSlot, 1, position);
  }
}
