package dev.recorder.clearing;

import dev.recorder.audit.Containment.Comparison;
import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.clearing.HandoffLeaves.Proof;
import dev.recorder.clearing.SettledSlots.SlotsStanding;
import dev.recorder.handoff.Block;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import dev.recorder.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Clears one log's hand-off table during one term. It proves that the log has the rows of each due
 * leaf, and empties the leaf. It brings the next block into use in time. It deletes the rows in
 * {@code slots} whose slots have no rows in the table any more. For one thread.
 */
public final class LogClearing {
  private static final String SET_BACK =
      "the counter of its ids was set back, so that ids are given out twice: set it behind the"
          + " highest one that there ever was";

  /** The most deletions in one turn; each deletes as many rows as one transaction should. */
  private static final int DELETIONS = 20;

  private final BooleanSupplier goesOn;
  private final LeafProofs proofs;

  /** Up to this slot, {@code slots} has no rows, as seen on the session. */
  private long deletedUpTo;

  private @Nullable Object deletedOn;

  /**
   * Creates the clearing of a log, without a limit of memory.
   *
   * @param goesOn whether clearing should continue, as of now
   */
  public LogClearing(ObjectStore bucket, LogLayout layout, BooleanSupplier goesOn) {
    this(bucket, layout, goesOn, ReadingRoom.UNLIMITED, Ticker.system());
  }

  /**
   * Creates the clearing of a log.
   *
   * @param goesOn whether clearing should continue, as of now
   * @param room memory for the objects that are read
   */
  public LogClearing(
      ObjectStore bucket,
      LogLayout layout,
      BooleanSupplier goesOn,
      ReadingRoom room,
      Ticker ticker) {
    this.goesOn = goesOn;
    this.proofs = new LeafProofs(bucket, layout, goesOn, room, ticker);
  }

  /**
   * The result for one leaf.
   *
   * @param rows the number of rows; 0 if they were not counted
   * @param isCleared whether the rows are deleted, or would be
   * @param why the reason why the rows stay; for cleared rows, the slots that have them
   */
  public record Report(long block, long rows, long bytes, boolean isCleared, String why) {}

  /** Runs one turn; returns the results for due leaves. */
  public List<Report> turn(HandoffLeaves leaves, ClearingPlan plan) {
    TableState table = leaves.look();
    if (table.isCounterSetBack()) {
      return stays(SET_BACK);
    }
    proofs.areOf(leaves.session());
    if (!table.blocks().containsKey(table.currentBlock())) {
      leaves.noteBlock(table.currentBlock());
    }
    if (plan.isRotationDue(table) && goesOn.getAsBoolean()) {
      leaves.rotate(table.currentBlock());
    }
    List<Report> reports = new ArrayList<>();
    for (Closed leaf : ClearingPlan.closed(table)) {
      if (plan.isDue(table, leaf) && goesOn.getAsBoolean()) {
        reports.add(clear(leaves, table, leaf));
      }
    }
    return reports;
  }

  private static List<Report> stays(String why) {
    return List.of(new Report(0, 0, 0, false, why));
  }

  /** Clears a leaf; a failure of one leaf need not stop the others. */
  private Report clear(HandoffLeaves leaves, TableState table, Closed leaf) {
    long bytes = table.bytes(leaf.leaf());
    try {
      // Checked before a lock is requested, since standby servers replay locks.
      Comparison failure = proofs.failure(leaves, leaf);
      if (failure != null) {
        return new Report(leaf.block(), failure.rows(), bytes, false, failure.trouble());
      }
      String inUse = leaves.inUse(leaf);
      if (!inUse.isEmpty()) {
        return new Report(leaf.block(), 0, bytes, false, inUse);
      }
      LeafContent content = leaves.content(leaf);
      Proof proof = proofs.find(leaves, leaf, content);
      if (proof == null) {
        Comparison compared = proofs.prove(leaves, leaf, content);
        if (!compared.isProved()) {
          return new Report(leaf.block(), compared.rows(), bytes, false, compared.trouble());
        }
        proof = new Proof(content, compared.blocks(), compared.upTo());
        proofs.keep(leaf, proof);
      }
      String trouble = leaves.empty(leaf, proof);
      if (trouble.isEmpty()) {
        proofs.drop(leaf);
      }
      return report(leaf, bytes, proof, trouble);
    } catch (RuntimeException e) {
      String trouble = leaves.troubleOfOne(e).orElseThrow(() -> e);
      return new Report(leaf.block(), 0, bytes, false, trouble);
    } catch (UnreadableSlotException e) {
      return new Report(leaf.block(), 0, bytes, false, String.valueOf(e.getMessage()));
    }
  }

  private static Report report(Closed leaf, long bytes, Proof proof, String trouble) {
    String why =
        trouble.isEmpty() ? "in slots %d to %d".formatted(leaf.fromSlot(), proof.upTo()) : trouble;
    return new Report(leaf.block(), proof.content().rows(), bytes, trouble.isEmpty(), why);
  }

  /**
   * Deletes the rows in {@code slots} of slots whose rows have all been cleared, as many as one
   * turn may, and merges notes of blocks. The chain proves the content of an object without these
   * rows.
   */
  public void tidy(HandoffLeaves leaves, SettledSlots slots) {
    SlotsStanding standing =
        slots.look(); // First, since slots that are settled later may have rows in any leaf.
    TableState table = leaves.look();
    if (table.isCounterSetBack()) {
      return;
    }
    if (!leaves.session().equals(deletedOn)) {
      deletedOn = leaves.session(); // Another session may be on a database that was set back.
      deletedUpTo = 0;
    }
    long upTo = standing.mayDeleteUpTo(table);
    for (int i = 0; i < DELETIONS && deletedUpTo < upTo && goesOn.getAsBoolean(); i++) {
      deletedUpTo = slots.delete(deletedUpTo, upTo);
    }
    leaves.mergeBlocks(table.currentBlock());
  }

  /**
   * Returns which leaves a turn would clear, and why it would not clear the rest; changes nothing.
   *
   * @throws UnreadableSlotException if the store does not answer
   */
  public List<Report> preview(HandoffLeaves leaves, ClearingPlan plan)
      throws UnreadableSlotException {
    TableState table = leaves.look();
    if (table.isCounterSetBack()) {
      return stays(SET_BACK);
    }
    List<Report> reports = new ArrayList<>();
    for (Closed leaf : ClearingPlan.closed(table)) {
      Comparison compared = proofs.prove(leaves, leaf);
      Proof proof =
          new Proof(new LeafContent(compared.rows(), ""), compared.blocks(), compared.upTo());
      String holder = leaves.heldBy(leaf);
      String trouble =
          !plan.isDue(table, leaf)
              ? "it is kept for longer"
              : holder.isEmpty() ? compared.trouble() : holder;
      reports.add(report(leaf, table.bytes(leaf.leaf()), proof, trouble));
    }
    long current = table.currentBlock();
    if (table.hasNewRows()) {
      long bytes = table.bytes(Block.leafOf(current));
      reports.add(new Report(current, 0, bytes, false, "new rows come into it"));
    }
    return reports;
  }
}
