package dev.recorder.clearing;

import dev.recorder.audit.Containment;
import dev.recorder.audit.Containment.Comparison;
import dev.recorder.audit.Presence;
import dev.recorder.audit.ReadingRoom;
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
 * minutes. At most one for each leaf. For one thread.
 */
final class LeafProofs {
  private static final int FRESH_MINUTES = 5;
  private static final Duration FRESH = Duration.ofMinutes(FRESH_MINUTES);

  private final ObjectStore bucket;
  private final LogLayout layout;
  private final BooleanSupplier goesOn;
  private final ReadingRoom room;
  private final Ticker ticker;
  private final Map<Integer, Known> known = new HashMap<>();

  /** The session that they were proved on. */
  private @Nullable Object provedOn;

  /** A proof of the rows of a block's leaf. */
  private record Known(long block, Proof proof, long sinceNanos) {}

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
      provedOn = session;
    }
  }

  /** Compares the rows of a leaf with the log. */
  Comparison prove(HandoffLeaves leaves, Closed leaf) throws UnreadableSlotException {
    return new Containment(bucket, layout, leaves.records(), goesOn, room)
        .prove(leaves.rows(leaf), leaf.fromSlot());
  }

  /** Keeps a proof. */
  void keep(Closed leaf, Proof proof) {
    known.put(leaf.leaf(), new Known(leaf.block(), proof, ticker.nanos()));
  }

  /** Forgets it. */
  void drop(Closed leaf) {
    known.remove(leaf.leaf());
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
      if (!new Presence(bucket, layout, leaves.records(), goesOn)
          .isWhole(leaf.fromSlot(), found.proof().upTo())) {
        return null;
      }
      keep(leaf, found.proof());
    }
    return found.proof();
  }
}
