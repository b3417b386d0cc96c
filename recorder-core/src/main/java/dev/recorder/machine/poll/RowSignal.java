package dev.recorder.machine.poll;

import dev.recorder.handoff.RecorderName;
import dev.recorder.slotlog.SequenceObservation;
import dev.recorder.slotlog.SequenceObservation.SnapshotLook;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The place where one log's writer waits for rows; the {@link RowPoller} tells it when some may
 * have come. The writer is told on the caller's thread, and no monitor is held meanwhile.
 * Thread-safe.
 */
public final class RowSignal implements RowArrivals {
  /** How long a writer waits if its log cannot be looked at. */
  static final Duration LONGEST_UNSEEN = Duration.ofSeconds(1);

  private final RecorderName recorder;
  private final Consumer<RowSignal> closing;
  private final AtomicReference<@Nullable WaitForRows> waiting = new AtomicReference<>();
  private volatile @Nullable SequenceObservation latest;

  /** The latest observation when the last read began. */
  private volatile @Nullable SequenceObservation mark;

  private volatile long idleAt;

  /** A wait for {@code rows} rows, since the tick {@code since}; {@code told} ends it. */
  private record WaitForRows(long rows, long since, Runnable told) {}

  /**
   * Creates a signal on which no writer waits yet.
   *
   * @param closing told when the signal is closed
   */
  public RowSignal(RecorderName recorder, Consumer<RowSignal> closing, long now) {
    this.recorder = recorder;
    this.closing = closing;
    this.idleAt = now;
  }

  public RecorderName recorder() {
    return recorder;
  }

  /** Only rows that come after this read count. */
  @Override
  public void reads() {
    mark = latest;
  }

  /** Counts rows since the last read. Also tells when it is unknown whether rows have come. */
  @Override
  public void await(long rows, long now, Runnable told) {
    waiting.set(new WaitForRows(rows, now, told));
  }

  /**
   * Ends the wait. A writer with work must not pass for an idle one, since a peer may have to take
   * over from it.
   */
  @Override
  public void endWait() {
    waiting.set(null);
  }

  boolean isAwaited() {
    return waiting.get() != null;
  }

  /** When the waiting writer was last seen to be idle, in ticks. */
  public long idleAt() {
    return idleAt;
  }

  /**
   * Takes the result of a look.
   *
   * @return whether the writer was told
   */
  boolean sees(SnapshotLook look, long now) {
    SequenceObservation before = latest;
    SequenceObservation seen = before == null ? SequenceObservation.first(look) : before.then(look);
    latest = seen;
    WaitForRows wait = waiting.get();
    if (wait == null) {
      return false;
    }
    if (isToBeTold(wait, seen) || (seen.drawn() == null && isUnseenTooLong(wait, now))) {
      tell(wait);
      return true;
    }
    idleAt = now;
    return false;
  }

  /** Whether the writer must be told; rows that came before the first look are unknown. */
  private boolean isToBeTold(WaitForRows wait, SequenceObservation seen) {
    SequenceObservation marked = mark;
    if (marked == null || !seen.canTellSince(marked)) {
      return seen.drawn() != null;
    }
    return seen.mayHaveBroughtSince(marked, wait.rows());
  }

  /** Takes a notification that a row has come. */
  void hears() {
    WaitForRows wait = waiting.get();
    if (wait != null && wait.rows() == 1) {
      tell(wait);
    }
  }

  /** Forgets all observations, since later ones cannot be compared with them. */
  void forget() {
    latest = null;
    mark = null;
  }

  /**
   * Notes that there are no looks now. The next session may reach another server, so observations
   * are forgotten.
   */
  void pollerIsGone(long now) {
    forget();
    WaitForRows wait = waiting.get();
    if (wait != null && isUnseenTooLong(wait, now)) {
      tell(wait);
    }
  }

  private static boolean isUnseenTooLong(WaitForRows wait, long now) {
    return now - wait.since() >= LONGEST_UNSEEN.toNanos();
  }

  private void tell(WaitForRows wait) {
    if (waiting.compareAndSet(wait, null)) {
      wait.told().run();
    }
  }

  @Override
  public void close() {
    waiting.set(null);
    closing.accept(this);
  }
}
