package dev.recorder.operate.site;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.PausedRecorder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a recorder in the database, beyond its {@link RecorderStatus}.
 *
 * @param begunAt when its last term began; null if there was none
 * @param lastSign the last sign of life of its holder, or the release; null if it never had a
 *     holder
 * @param switchTo the host to which it should move, or null
 * @param switchWhy the reason of the move, or null
 * @param oldestWaiting when the transaction began that inserted the next waiting row; null if no
 *     row waits, or if this is unknown
 * @param paused its pause; null if it is not paused
 * @param verdict of its last scheduled verification; null if it has no schedule
 */
public record RecorderFacts(
    RecorderStatus status,
    @Nullable Instant begunAt,
    @Nullable Instant lastSign,
    @Nullable String switchTo,
    @Nullable String switchWhy,
    @Nullable Instant oldestWaiting,
    @Nullable PausedRecorder paused,
    @Nullable LastVerdict verdict) {
  /** The lockid of a recorder without one; real lockids are higher. */
  private static final int UNREGISTERED = 0;

  /**
   * Returns the facts about a recorder that a host's file has, and that has no row in the database.
   */
  static RecorderFacts unregistered(String name) {
    RecorderStatus status = new RecorderStatus(name, UNREGISTERED, "", null, 0, 0, 0, null, null);
    return new RecorderFacts(status, null, null, null, null, null, null, null);
  }

  /** Whether any host has ever run it, so that its kind is known. */
  public boolean isRegistered() {
    return lockId() != UNREGISTERED;
  }

  /** Returns the same recorder with another verdict. */
  public RecorderFacts judged(LastVerdict other) {
    return new RecorderFacts(
        status, begunAt, lastSign, switchTo, switchWhy, oldestWaiting, paused, other);
  }

  public String name() {
    return status.name();
  }

  public int lockId() {
    return status.lockId();
  }

  /** Whether it is a log, which one host at a time records. */
  public boolean isLog() {
    return status.kind().equals(RecorderKind.LOG.word());
  }
}
