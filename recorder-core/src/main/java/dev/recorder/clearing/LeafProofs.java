package dev.recorder.clearing;

import dev.recorder.audit.Containment;
import dev.recorder.audit.Containment.Comparison;
import dev.recorder.audit.ObjectPresence;
import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.clearing.HandoffLeaves.Proof;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps proofs of leaves that could not be emptied yet, so that objects are not read again while a
 * leaf stays unchanged. After {@value #FRESH_MINUTES} minutes it checks again that the objects
 * still exist. It keeps at most one proof for each leaf.
 *
 * <p>Failed proofs are kept, too: for a minute, and after each further failure twice as long, up to
 * {@value #LONGEST_HOURS} hours, since all logs of a host share the thread. For one thread.
 */
final class LeafProofs {
  private static final int FRESH_MINUTES = 5;
  private static final Duration FRESH = Duration.ofMinutes(FRESH_MINUTES);
  private static final int LONGEST_HOURS = 6;
  private static final Duration LONGEST = Duration.ofHours(LONGEST_HOURS);
  private static final Duration SHORTEST = Duration.ofMinutes(1);

  private final ObjectStore bucket;
  private final LogLayout layout;
  private final BooleanSupplier goesOn;
  private final ReadingRoom room;
  private final Ticker ticker;
  private final Map<Integer, Known> known = new HashMap<>();
  private final Map<Integer, FailedProof> failed = new HashMap<>();

  /** The session on which the rows were proved. */
  private @Nullable Object provedOn;

  /** A proof of the rows of a block's leaf. */
  private record Known(long block, Proof proof, long sinceNanos) {}

  /** A failed proof of the rows of a block's leaf; the proof is not repeated before a pause. */
  private record FailedProof(
      long block, LeafContent content, Comparison outcome, long sinceNanos, Duration pause) {

    /** Whether the leaf is unchanged. */
    boolean isOf(Closed leaf, LeafContent now) {
      return block == leaf.block() && content.equals(now);
    }
  }

  LeafProofs(
      ObjectStore bucket,
      LogLayout layout,
      BooleanSupplier goesOn,
      ReadingRoom room,
      Ticker ticker) {
    this.bucket = bucket;
    this.layout = layout;
    this.goesOn = goesOn;
    this.room = room;
    this.ticker = ticker;
  }

  /**
   * Forgets proofs of another session, which may have been on another server, or in an earlier
   * state, where other rows have the same places and numbers.
   */
  void areOf(Object session) {
    if (!session.equals(provedOn)) {
      known.clear();
      failed.clear();
      provedOn = session;
    }
  }

  /** Compares the rows of a leaf with the log. */
  Comparison prove(HandoffLeaves leaves, Closed leaf) throws UnreadableSlotException {
    return new Containment(bucket, layout, leaves.records(), goesOn, room)
        .prove(leaves.rows(leaf), leaf.fromSlot());
  }

  /**
   * Compares the rows of a leaf that has {@code content} with the log. A lasting failure is
   * remembered.
   */
  Comparison prove(HandoffLeaves leaves, Closed leaf, LeafContent content)
      throws UnreadableSlotException {
    Comparison outcome = prove(leaves, leaf);
    if (outcome.lasting()) {
      FailedProof before = failed.get(leaf.leaf());
      Duration pause =
          before == null || !before.isOf(leaf, content) ? SHORTEST : twice(before.pause());
      failed.put(
          leaf.leaf(), new FailedProof(leaf.block(), content, outcome, ticker.nanos(), pause));
    }
    return outcome;
  }

  private static Duration twice(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
  }

  /**
   * Returns a recent failed proof if the leaf is unchanged; null if the leaf should be proved.
   * Takes no lock, and reads a leaf only if a failed proof is known.
   */
  @Nullable Comparison failure(HandoffLeaves leaves, Closed leaf) {
    FailedProof found = failed.get(leaf.leaf());
    if (found == null || ticker.nanos() - found.sinceNanos() >= found.pause().toNanos()) {
      return null;
    }
    return found.isOf(leaf, leaves.content(leaf)) ? found.outcome() : null;
  }

  /** Keeps a proof. */
  void keep(Closed leaf, Proof proof) {
    failed.remove(leaf.leaf());
    known.put(leaf.leaf(), new Known(leaf.block(), proof, ticker.nanos()));
  }

  /** Forgets the proofs of a leaf. */
  void drop(Closed leaf) {
    known.remove(leaf.leaf());
    failed.remove(leaf.leaf());
  }

  /**
   * Returns the proof of a leaf with this content; null if there is none, or if its objects are not
   * all there any more.
   *
   * @throws UnreadableSlotException if the store does not answer
   */
  @Nullable Proof find(HandoffLeaves leaves, Closed leaf, LeafContent content)
      throws UnreadableSlotException {
    Known found = known.get(leaf.leaf());
    if (found == null
        || found.block() != leaf.block()
        || !found.proof().content().equals(content)) {
      return null;
    }
    if (ticker.nanos() - found.sinceNanos() > FRESH.toNanos()) {
      if (!new ObjectPresence(bucket, layout, leaves.records(), goesOn)
          .isWhole(leaf.fromSlot(), found.proof().upTo())) {
        return null;
      }
      keep(leaf, found.proof());
    }
    return found.proof();
  }
}
