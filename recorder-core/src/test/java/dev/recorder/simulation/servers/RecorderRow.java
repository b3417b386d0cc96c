package dev.recorder.simulation.servers;

import dev.recorder.handoff.Position;
import dev.recorder.leadership.HandoverRequest;
import dev.recorder.leadership.TakeoverReason;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogHead;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code lock_recorders}.
 *
 * @param settledBy the epoch whose statement moved {@code lastSlot} last; for the invariants only
 */
public record RecorderRow(
    int lockId,
    UUID log,
    @Nullable String holder,
    @Nullable SessionId holderSession,
    @Nullable String lastHolder,
    long epoch,
    long lastSlot,
    LogChain chain,
    Position position,
    long updatedAtMicros,
    long settledBy,
    @Nullable HandoverRequest request,
    int faults) {

  static RecorderRow fresh(int lockId, UUID log) {
    return new RecorderRow(
        lockId, log, null, null, null, 0, 0, LogChain.of(log), Position.START, 0, 0, null, 0);
  }

  /** Begins a term; a real row remembers how soon the last one ended, this one counts all. */
  RecorderRow heldBy(String machine, SessionId session, TakeoverReason reason, long at) {
    boolean elsewhere = request != null && !request.to().equals(machine);
    boolean operators =
        request != null
            && (request.why() == HandoverRequest.Why.FLIP
                || request.why() == HandoverRequest.Why.OPERATOR);
    boolean fault =
        List.of(TakeoverReason.DIED, TakeoverReason.SILENT, TakeoverReason.STUCK).contains(reason)
            || (elsewhere && !operators);
    return new RecorderRow(
        lockId,
        log,
        machine,
        session,
        machine,
        epoch + 1,
        lastSlot,
        chain,
        position,
        at,
        settledBy,
        elsewhere && operators ? request : null,
        fault ? faults + 1 : faults);
  }

  /** One that was not accepted ends with the term. */
  private static boolean isOperators(@Nullable HandoverRequest request) {
    return request != null && request.why() == HandoverRequest.Why.OPERATOR;
  }

  RecorderRow released(@Nullable HandoverRequest to, long at) {
    return new RecorderRow(
        lockId,
        log,
        null,
        null,
        lastHolder,
        epoch,
        lastSlot,
        chain,
        position,
        at,
        settledBy,
        to == null && !isOperators(request) ? request : to,
        faults);
  }

  RecorderRow requested(@Nullable HandoverRequest changed) {
    return new RecorderRow(
        lockId,
        log,
        holder,
        holderSession,
        lastHolder,
        epoch,
        lastSlot,
        chain,
        position,
        updatedAtMicros,
        settledBy,
        changed,
        faults);
  }

  RecorderRow advanced(long slot, LogChain with, Position to, long byEpoch, long at) {
    return new RecorderRow(
        lockId,
        log,
        holder,
        holderSession,
        lastHolder,
        epoch,
        slot,
        with,
        to,
        at,
        byEpoch,
        request,
        faults);
  }

  public LogHead head() {
    return new LogHead(lastSlot, 1, chain, position);
  }
}
