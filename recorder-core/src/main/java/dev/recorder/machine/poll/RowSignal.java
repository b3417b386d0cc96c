package dev.recorder.machine.poll;

import dev.recorder.handoff.RecorderName;
import dev.recorder.slotlog.SequenceObservation;
import dev.recorder.slotlog.SequenceObservation.SnapshotLook;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where one log's writer waits for rows, and is told by the {@link RowPoller} when some may have
 * come. Whoever tells does so on its own thread, and holds no monitor meanwhile. Thread-safe.
 */
public final class RowSignal implements RowArrivals {
  /** How long a writer waits whose log cannot be looked at. */
  static final Duration LONGEST_UNSEEN = Duration.ofSeconds(1);

  private final RecorderName recorder;
  private final Consumer<RowSignal> closing;
  private final AtomicReference<@Nullable WaitForRows> waiting = new AtomicReference<>();
  private volatile @Nullable SequenceObservation latest;

  /** What had been seen when the last read began. */
  private volatile @Nullable SequenceObservation mark;

  private volatile long idleAt;

  /** For how many rows somebody waits since when, and how to tell them. */
  private record WaitForRows(long rows, long since, Runnable told) {}

  /**
   * Nobody waits yet.
   *
   * @param closing told when it is closed
   */
  public RowSignal(RecorderName recorder, Consumer<RowSignal> closing, long now) {
    this.recorder = recorder;
    this.closing = closing;
    this.idleAt = now;
  }

  public RecorderName recorder() {
    return recorder;
  }

  /** What comes after a read is what counts. */
  @Override
  public void reads() {
    mark = latest;
  }

  /** Tells since the last read; also when it cannot be determined whether rows have come. */
  @Override
  public void await(long rows, long now, Runnable told) {
    waiting.set(new WaitForRows(rows, now, told));
  }

  /**
   * A writer that has found something to do, by its own clock, must not pass for one that has
   * nothing to do: a peer may have to take over from it.
   */
  @Override
  public void endWait() {
    waiting.set(null);
  }

  boolean isAwaited() {
    return waiting.get() != null;
  }

  /** When it was last seen that a writer who waits has nothing to do. */
  public long idleAt() {
    return idleAt;
  }

  /**
   * A look that began and ended, and was not reported before.
   *
   * @return whether it was reported to somebody
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

  /** What came before the first look nobody knows. */
  private boolean isToBeTold(WaitForRows wait, SequenceObservation seen) {
    SequenceObservation marked = mark;
    if (marked == null || !seen.canTellSince(marked)) {
      return seen.drawn() != null;
    }
    return seen.mayHaveBroughtSince(marked, wait.rows());
  }

  /** Somebody says that a row has come. */
  void hears() {
    WaitForRows wait = waiting.get();
    if (wait != null && wait.rows() == 1) {
      tell(wait);
    }
  }

  /** What was seen cannot be compared with what comes. */
  void forget() {
    latest = null;
    mark = null;
  }

  /** There are no looks now; the next session's may be another server's. */
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
