package dev.recorder.replay;

import dev.recorder.reader.LogSlot;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Replays a log into a target: the tables then are what they were at the end of a window. Begun
 * again it goes on where it was ended, however that was.
 *
 * <p>Windows are taken together until they have {@link #TOGETHER} rows, or the log ends: a
 * transaction for each of many small ones would take longer than their rows. Holds one slot at a
 * time. Runs on its caller's thread.
 */
public final class Replay {
  /** Most rows, except those of a window that is larger. */
  static final int TOGETHER = 50_000;

  private final ReplayTarget target;
  private final ReplayProgress progress;
  private final long fromSlot;
  private final Windows windows;
  private final Set<String> incomplete = new TreeSet<>();
  private final Set<String> asText = new TreeSet<>();
  private long rows;
  private long changes;
  private long lookAlikes;
  private long waiting;

  /** Is told how far a replay is. */
  @FunctionalInterface
  public interface ReplayProgress {
    /**
     * A slot is read.
     *
     * @param rows read so far
     */
    void read(long slot, long rows);

    /** Something could not be rebuilt as it was. */
    default void told(ReplayNote note) {}
  }

  /**
   * A replay that has not begun.
   *
   * @param from where {@code target} stands
   */
  public Replay(ReplayTarget target, ReplayPosition from, ReplayProgress progress) {
    this.target = target;
    this.progress = progress;
    this.fromSlot = from.nextSlot();
    this.windows = new Windows(from);
  }

  /**
   * Replays these slots.
   *
   * @param slots from the first that the target does not have
   */
  public ReplayResult run(Iterator<LogSlot> slots) {
    while (slots.hasNext()) {
      LogSlot slot = slots.next();
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
