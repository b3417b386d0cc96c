package dev.recorder.operate.site;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.PausedRecorder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the database knows of a recorder, beyond its {@link RecorderStatus}.
 *
 * @param begunAt when its last term began, or null
 * @param lastSign when its holder last gave a sign of life, or when it was released; null if nobody
 *     ever held it
 * @param switchTo the machine it should go to, or null
 * @param switchWhy why, or null
 * @param oldestWaiting when the transaction began that handed over what comes next; null if nothing
 *     waits, or if nobody can tell
 * @param paused that it is paused; null if it is not
 * @param verdict what was found when it was last verified on a schedule; null if it is on none
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
  /** Stands for the lockid; none is so low. */
  private static final int UNREGISTERED = 0;

  /** Of one that a machine's file has, and of which the database has no row. */
  static RecorderFacts unregistered(String name) {
    RecorderStatus status = new RecorderStatus(name, UNREGISTERED, "", null, 0, 0, 0, null, null);
    return new RecorderFacts(status, null, null, null, null, null, null, null);
  }

  /** Whether any machine has ever run it, so that its kind is known. */
  public boolean isRegistered() {
    return lockId() != UNREGISTERED;
  }

  /** The same recorder with another verdict. */
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

  /** Whether one machine at a time records it. */
  public boolean isLog() {
    return status.kind().equals(RecorderKind.LOG.word());
  }
}
