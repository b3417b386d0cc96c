package dev.recorder.slotlog;

import dev.recorder.handoff.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * One look at the id sequence of a log's table, with a snapshot. Two observations show, without
 * reading any row, whether rows may have come between them. Immutable.
 *
 * <p>If one snapshot sees a row and an earlier one does not, the row's transaction completed in
 * between. Either its id was drawn in between, and the sequence has moved. Or its id was drawn
 * before the earlier look, by a transaction that already had its number. So while the sequence does
 * not move, only transactions matter whose numbers were assigned before it was first seen at this
 * value.
 *
 * <p>This holds if ids are drawn one by one and used soon: a transaction gets its number
 * microseconds after its first id. The observations miss rows if ids are drawn ahead, if a session
 * stops between the two steps, or if the sequence is set back. The next read finds such rows.
 *
 * @param drawn the last id that was assigned; null if it cannot be read
 * @param bound transactions with this number or a higher one draw no id without moving the
 *     sequence; {@link #NO_BOUND} if not known
 */
public record SequenceObservation(Snapshot snapshot, @Nullable Long drawn, long bound) {
  static final long NO_BOUND = Long.MAX_VALUE;

  /**
   * The result of one look.
   *
   * @param snapshot taken before the sequence was read
   * @param nextXid when the look began, no transaction had this number or a higher one
   * @param drawn as in {@link SequenceObservation}
   */
  public record SnapshotLook(Snapshot snapshot, long nextXid, @Nullable Long drawn) {}

  /** Returns the first observation of a log. */
  public static SequenceObservation first(SnapshotLook look) {
    return new SequenceObservation(look.snapshot(), look.drawn(), NO_BOUND);
  }

  /** Returns the next observation, from a look on the same session. */
  public SequenceObservation then(SnapshotLook look) {
    boolean stands = drawn != null && drawn.equals(look.drawn());
    long nextBound = stands ? Math.min(bound, look.nextXid()) : NO_BOUND;
    return new SequenceObservation(look.snapshot(), look.drawn(), nextBound);
  }

  /**
   * Returns whether both observations have a value of the sequence, so that they can be compared.
   */
  public boolean canTellSince(SequenceObservation earlier) {
    return drawn != null && earlier.drawn != null;
  }

  /**
   * Returns whether {@code rows} rows may have come since {@code earlier}. For one row, false means
   * for certain that none has come. For more rows, only the drawn ids are counted.
   */
  public boolean mayHaveBroughtSince(SequenceObservation earlier, long rows) {
    Long before = earlier.drawn;
    if (drawn == null || before == null || drawn < before) {
      return true; // Set back or unknown: nothing is certain.
    }
    return drawn - before >= rows || (rows == 1 && hasNewTransactionSince(earlier));
  }

  private boolean hasNewTransactionSince(SequenceObservation earlier) {
    return !snapshot.equals(earlier.snapshot)
        && (!snapshot.covers(earlier.snapshot) || snapshot.seesMoreBelow(bound, earlier.snapshot));
  }
}
