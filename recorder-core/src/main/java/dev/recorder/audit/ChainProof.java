package dev.recorder.audit;

import dev.recorder.audit.objects.SlotObject;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.ObjectMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Proves that objects are the settled ones, in their order. Each object's chain follows from the
 * chain of the object before it and its own content, and the last one equals the chain in the
 * database. It needs no row of {@code slots}.
 *
 * <p>After an object that is missing or damaged, the proof continues with the chain in the next
 * object, which was written when the missing object existed. If an object does not follow, the
 * chain of the next object shows why, so the fault is reported then.
 */
final class ChainProof {
  private static final String UNEXPLAINED =
      "one of the two was replaced, or the second was written behind another one";

  private final Tally tally;

  /** The chain up to the last slot seen; null if unknown. */
  private @Nullable LogChain known;

  private @Nullable Break open;

  /**
   * A slot whose object does not follow.
   *
   * @param own the chain in its object
   * @param follows the chain that it should have after the slots that exist
   */
  private record Break(long slot, ObjectMetadata object, LogChain own, LogChain follows) {}

  /**
   * Begins a proof.
   *
   * @param before the chain of the slots before the first one; null if unknown
   */
  ChainProof(Tally tally, @Nullable LogChain before) {
    this.tally = tally;
    this.known = before;
  }

  /** Takes the next slot's object, which is undamaged. */
  void object(long slot, SlotObject object, ObjectMetadata metadata) {
    String sha256 = object.sha256();
    LogChain own = metadata.chain();
    LogChain before = known;
    Break earlier = open;
    open = null;
    if (earlier != null) {
      before = explain(earlier, own, sha256, "slot " + slot + " follows");
    }
    if (before != null && !own.equals(before.then(sha256))) {
      open = new Break(slot, metadata, own, before.then(sha256));
    }
    known = own;
  }

  /** Notes that the next slot has no object, or a damaged one; that fault is reported elsewhere. */
  void unknown() {
    if (open != null) {
      tell(open, UNEXPLAINED);
    }
    open = null;
    known = null;
  }

  /** Ends the proof after the last slot, for which the database has the chain {@code settled}. */
  void finish(long last, LogChain settled) {
    Break earlier = open;
    if (earlier != null && settled.equals(earlier.own())) {
      tell(earlier, replaced(earlier, "the database noted"));
    } else if (earlier != null && settled.equals(earlier.follows())) {
      tell(earlier, another(earlier));
    } else if (earlier != null) {
      unknown();
    } else if (known != null && !settled.equals(known)) {
      tally.hashMismatch(
          "slot %d is not what was settled: it has chain %s, the database noted %s; it was replaced, or slots before it were, with all objects behind them"
              .formatted(last, known, settled));
    }
  }

  /** Reports a break, explained by the next slot's chain; returns the chain before that slot. */
  private LogChain explain(Break broken, LogChain next, String sha256, String what) {
    if (next.equals(broken.own().then(sha256))) {
      tell(broken, replaced(broken, what));
      return broken.own();
    } else if (next.equals(broken.follows().then(sha256))) {
      tell(broken, another(broken));
    } else {
      tell(broken, UNEXPLAINED);
    }
    return broken.follows();
  }

  private static String replaced(Break broken, String what) {
    return "one of the two was replaced since, as %s what slot %d says of itself"
        .formatted(what, broken.slot());
  }

  private static String another(Break broken) {
    return "%s wrote it in epoch %d behind another one, which was replaced or deleted before it was settled"
        .formatted(broken.object().writer(), broken.object().epoch());
  }

  private void tell(Break broken, String why) {
    tally.hashMismatch(
        "slot %d does not follow slot %d: %s".formatted(broken.slot(), broken.slot() - 1, why));
  }
}
