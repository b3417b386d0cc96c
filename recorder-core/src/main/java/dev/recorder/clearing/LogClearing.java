package dev.recorder.clearing;

import dev.recorder.audit.Containment;
import dev.recorder.audit.Containment.Finding;
import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.handoff.Block;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Clears one log's hand-off table: proves of each leaf that is due that the log has its rows, and
 * empties it; lets the ids go on to the next block in time. For one thread.
 */
public final class LogClearing {
  private static final String NO_LEAVES =
      "its table was made by an earlier version, and has no leaves to be emptied";

  private final HandoffLeaves leaves;
  private final ObjectStore bucket;
  private final LogLayout layout;
  private final BooleanSupplier goesOn;

  /**
   * The clearing of a log.
   *
   * @param goesOn whether it is still to be done, as of now
   */
  public LogClearing(
      HandoffLeaves leaves, ObjectStore bucket, LogLayout layout, BooleanSupplier goesOn) {
    this.leaves = leaves;
    this.bucket = bucket;
    this.layout = layout;
    this.goesOn = goesOn;
  }

  /**
   * What is to be said of one leaf.
   *
   * @param rows how many it has; 0 as long as nobody has counted them
   * @param isCleared whether they are gone, or would go
   * @param why they are not, or, if they are, in which slots they stand
   */
  public record Report(long block, long rows, long bytes, boolean isCleared, String why) {}

  /**
   * One turn.
   *
   * @throws UnreadableSlotException if the store gives no answer
   */
  public List<Report> turn(ClearingPlan plan) throws UnreadableSlotException {
    TableState table = leaves.look().orElse(null);
    if (table == null) {
      return List.of(new Report(0, 0, 0, false, NO_LEAVES));
    }
    if (!table.blocks().containsKey(table.currentBlock())) {
      leaves.noteBlock(table.currentBlock());
    }
    List<Report> reports = new ArrayList<>();
    for (Closed leaf : ClearingPlan.closed(table)) {
      if (plan.isDue(table, leaf) && goesOn.getAsBoolean()) {
        reports.add(clear(table, leaf));
      }
    }
    Optional<TableState> now = leaves.look();
    if (now.isPresent() && plan.isRotationDue(now.get()) && goesOn.getAsBoolean()) {
      leaves.rotate(now.get().currentBlock());
    }
    return reports;
  }

  private Report clear(TableState table, Closed leaf) throws UnreadableSlotException {
    Finding finding = prove(leaf);
    String trouble =
        finding.isProved() ? leaves.empty(leaf, finding.rows(), finding.upTo()) : finding.trouble();
    return report(table, leaf, finding, trouble);
  }

  private Finding prove(Closed leaf) throws UnreadableSlotException {
    return new Containment(bucket, layout, leaves.records(), goesOn)
        .prove(leaves.rows(leaf.leaf()), leaf.fromSlot());
  }

  private static Report report(TableState table, Closed leaf, Finding finding, String trouble) {
    String why =
        trouble.isEmpty()
            ? "in slots %d to %d".formatted(leaf.fromSlot(), finding.upTo())
            : trouble;
    return new Report(
        leaf.block(), finding.rows().rows(), table.bytes(leaf.leaf()), trouble.isEmpty(), why);
  }

  /**
   * What a turn would clear, and why it would not clear the rest; changes nothing.
   *
   * @throws UnreadableSlotException if the store gives no answer
   */
  public List<Report> preview(ClearingPlan plan) throws UnreadableSlotException {
    TableState table = leaves.look().orElse(null);
    if (table == null) {
      return List.of(new Report(0, 0, 0, false, NO_LEAVES));
    }
    List<Report> reports = new ArrayList<>();
    for (Closed leaf : ClearingPlan.closed(table)) {
      Finding finding = prove(leaf);
      String trouble = plan.isDue(table, leaf) ? finding.trouble() : "it is kept for longer";
      reports.add(report(table, leaf, finding, trouble));
    }
    int current = Block.leafOf(table.currentBlock());
    if (!table.isEmpty(current)) {
      reports.add(
          new Report(
              table.currentBlock(), 0, table.bytes(current), false, "new rows come into it"));
    }
    return reports;
  }
}
