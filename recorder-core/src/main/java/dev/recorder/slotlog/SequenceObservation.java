package dev.recorder.slotlog;

import dev.recorder.handoff.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What one look at a log's counter of ids showed, beside all that was done by then. Two of them
 * tell, without a look at any row, whether rows may have come in between. Immutable.
 *
 * <p>A row that one snapshot sees and an earlier one does not is of a transaction that completed in
 * between. Its id was drawn either in between, and the counter has moved; or before the earlier
 * look, by a transaction that had its number by then. So while the counter stands still, only
 * transactions count whose numbers were given out when it was first seen to stand there.
 *
 * <p>That holds for ids that are drawn one by one, and used soon: a transaction has its number
 * microseconds after its first id. Whoever draws ids ahead, stops right between the two, or sets
 * the counter back is not noticed, and found when rows are next looked for.
 *
 * @param drawn the last id that was given out; null if that is not to be known
 * @param bound transactions of this number and above draw no id without moving the counter; {@link
 *     #NO_BOUND} before that is known
 */
public record SequenceObservation(Snapshot snapshot, @Nullable Long drawn, long bound) {
  static final long NO_BOUND = Long.MAX_VALUE;

  /**
   * What a look shows.
   *
   * @param snapshot taken before the counter was looked at
   * @param nextXid no transaction had this number, or a higher one, when the look began
   * @param drawn as above
   */
  public record SnapshotLook(Snapshot snapshot, long nextXid, @Nullable Long drawn) {}

  /** Of a log that was not looked at before. */
  public static SequenceObservation first(SnapshotLook look) {
    return new SequenceObservation(look.snapshot(), look.drawn(), NO_BOUND);
  }

  /** The next one, on the same session. */
  public SequenceObservation then(SnapshotLook look) {
    boolean stands = drawn != null && drawn.equals(look.drawn());
    long nextBound = stands ? Math.min(bound, look.nextXid()) : NO_BOUND;
    return new SequenceObservation(look.snapshot(), look.drawn(), nextBound);
  }

  /** Whether the counter was seen both times, so that they can be compared. */
  public boolean canTellSince(SequenceObservation earlier) {
    return drawn != null && earlier.drawn != null;
  }

  /**
   * Whether so many rows may have come since {@code earlier}, as far as they can be compared. For
   * one row it is certain that none has if not; for more the ids are counted.
   */
  public boolean mayHaveBroughtSince(SequenceObservation earlier, long rows) {
    Long before = earlier.drawn;
    if (drawn == null || before == null || drawn < before) {
      return true; // Set back: nothing is certain.
    }
    return drawn - before >= rows || (rows == 1 && hasNewTransactionSince(earlier));
  }

  private boolean hasNewTransactionSince(SequenceObservation earlier) {
    return !snapshot.equals(earlier.snapshot)
        && (!snapshot.covers(earlier.snapshot) || snapshot.seesMoreBelow(bound, earlier.snapshot));
  }
}
