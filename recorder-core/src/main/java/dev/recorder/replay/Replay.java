package dev.recorder.replay;

import dev.recorder.reader.LogSlot;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Replays a log into a target, whose tables are then as they were at the end of a window. A new run
 * continues where the last one ended, for whatever reason.
 *
 * <p>Windows are applied together until they have {@link #TOGETHER} rows or the log ends: one
 * transaction for each of many small windows would take longer than their rows. Holds one slot at a
 * time. Runs on its caller's thread.
 */
public final class Replay {
  /** The most rows, unless one window is larger. */
  static final int TOGETHER = 50_000;

  private final ReplayTarget target;
  private final ReplayProgress progress;
  private final long fromSlot;
  private final WindowEnds windows;
  private final Set<String> incomplete = new TreeSet<>();
  private final Set<String> asText = new TreeSet<>();
  private long rows;
  private long changes;
  private long lookAlikes;
  private long waiting;

  /** Receives the progress of a replay. */
  @FunctionalInterface
  public interface ReplayProgress {
    /**
     * Receives the number of a slot that was read.
     *
     * @param rows read so far
     */
    void read(long slot, long rows);

    /** Receives a note that something could not be rebuilt exactly. */
    default void told(ReplayNote note) {}
  }

  /**
   * Creates a replay without beginning it.
   *
   * @param from the position of {@code target}
   */
  public Replay(ReplayTarget target, ReplayPosition from, ReplayProgress progress) {
    this.target = target;
    this.progress = progress;
    this.fromSlot = from.nextSlot();
    this.windows = new WindowEnds(from);
  }

  /** Replays all these slots, see {@link #run(Iterator, long)}. */
  public ReplayResult run(Iterator<LogSlot> slots) {
    return run(slots, Long.MAX_VALUE);
  }

  /**
   * Replays slots.
   *
   * @param slots the slots, beginning with the first that the target does not have
   * @param before the slot to stop before: the tables are then as they were at the end of the last
   *     window before it
   */
  public ReplayResult run(Iterator<LogSlot> slots, long before) {
    while (slots.hasNext()) {
      LogSlot slot = slots.next();
      if (slot.slot() >= before) {
        windows.isFollowedBy(slot.slot(), slot.window().orElse(null));
        break;
      }
      windows.add(slot.slot(), slot.window().orElse(null));
      ReplayTarget.StagedRows staged = target.stage(slot);
      changes += staged.changes();
      lookAlikes += staged.lookAlikes();
      rows += slot.rowsInSlot();
      waiting += slot.rowsInSlot();
      progress.read(slot.slot(), rows);
      if (waiting >= TOGETHER) {
        applyEnded();
      }
    }
    applyEnded();
    long next = windows.end().nextSlot();
    return new ReplayResult(
        fromSlot,
        next,
        next - fromSlot,
        rows,
        changes,
        lookAlikes,
        windows.open(),
        windows.stepsBefore(),
        List.copyOf(incomplete),
        List.copyOf(asText));
  }

  private void applyEnded() {
    if (windows.hasEnded()) {
      for (ReplayNote note : target.apply(windows.end())) {
        switch (note.kind()) {
          case INCOMPLETE -> incomplete.add(note.table());
          case AS_TEXT -> note.columns().forEach(column -> asText.add(note.table() + "." + column));
        }
        progress.told(note);
      }
      windows.applied();
      waiting = 0;
    }
  }
}
