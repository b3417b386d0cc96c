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
 * Proofs of leaves that could not be emptied yet: objects are not read again for as long as a leaf
 * stays as it is. Whether they are still there is looked at again after {@value #FRESH_MINUTES}
 * minutes. At most one for each leaf.
 *
 * <p>So it is with proofs that failed, for a minute, and twice as long after each further failure,
 * up to {@value #LONGEST_HOURS} hours: all logs of a machine share the thread. For one thread.
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

  /** The session that they were proved on. */
  private @Nullable Object provedOn;

  /** A proof of the rows of a block's leaf. */
  private record Known(long block, Proof proof, long sinceNanos) {}

  /**
   * That the rows of a block's leaf were not proved, and that nobody tries again before a pause.
   */
  private record FailedProof(
      long block, LeafContent content, Comparison outcome, long sinceNanos, Duration pause) {

    /** If the leaf has what it had. */
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
   * Forgets what was proved on another session: behind it may be another server, or a later state,
   * in which other rows have the same places and numbers.
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

  /** The same of a leaf that has {@code content}. A failure that does not pass is remembered. */
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
   * Why a leaf was not proved a while ago that still has the same; null if it is to be proved.
   * Takes no lock, and asks nothing of a leaf that nothing is known of.
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

  /** Forgets it. */
  void drop(Closed leaf) {
    known.remove(leaf.leaf());
    failed.remove(leaf.leaf());
  }

  /**
   * The proof of a leaf that has this; null if there is none, or if its objects are no longer all
   * there.
   *
   * @throws UnreadableSlotException if the store gives no answer
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
