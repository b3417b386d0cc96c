package dev.recorder.audit;

import dev.recorder.audit.objects.SlotObject;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.ObjectMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Proves that objects are those that were settled, in their order: each has the chain of the one
 * before it and of its own content, and the last one has the chain that the database noted. It
 * needs no row of {@code slots}.
 *
 * <p>Behind an object that is missing, or is not whole, it goes on with what the next one says of
 * itself: that one was written when the other was there. Where an object does not follow, only the
 * next one tells why, so it is told then.
 */
final class ChainProof {
  private static final String UNEXPLAINED =
      "one of the two was replaced, or the second was written behind another one";

  private final Tally tally;

  /** Up to the slot that was looked at last; null if nothing is known of that. */
  private @Nullable LogChain known;

  private @Nullable Break open;

  /**
   * A slot that does not follow.
   *
   * @param own the chain that its object has
   * @param follows the one that it would have behind the slots that are there
   */
  private record Break(long slot, ObjectMetadata object, LogChain own, LogChain follows) {}

  /**
   * A proof.
   *
   * @param before the chain of the slots before the first one; null if it is not known
   */
  ChainProof(Tally tally, @Nullable LogChain before) {
    this.tally = tally;
    this.known = before;
  }

  /** The next slot's object, which is whole. */
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

  /** The next slot has no object, or one that is not whole, which is told elsewhere. */
  void unknown() {
    if (open != null) {
      tell(open, UNEXPLAINED);
    }
    open = null;
    known = null;
  }

  /** Behind the last slot, of which the database says this. */
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

  /** What comes before the next slot, by what its chain says of a break. */
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
