package dev.recorder.audit;

import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RowKey;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.ObjectMetadata;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Port: the database's records of one log. Called on one thread. The adapter throws its own
 * exceptions, which pass through the verifier.
 */
public interface LogRecords {

  /** Returns the log's identity and its present state. */
  SettledLog settled();

  /** Whether the records end at the log's end, so that a later slot is not settled yet. */
  default boolean isWhole() {
    return true;
  }

  /**
   * Returns all contents ever planned for {@code slot}; one of them was settled. Empty for a slot
   * below {@link #plansFrom()}.
   */
  List<SlotPlan> plans(long slot);

  /** The first slot that has plans; the plans and rows of earlier slots are deleted. */
  long plansFrom();

  /** Returns the slot whose window has {@code row}; empty if none has. */
  OptionalLong slotOf(RowKey row);

  /**
   * Returns SQL for an operator that records rows which the table has, the position has passed, and
   * no slot holds.
   */
  String remedy(List<RowKey> lost);

  /**
   * The state of a log; see {@link #settled()}.
   *
   * @param floorChain the chain of the slots below the floor; null if unknown
   * @param rebasedSlot up to this slot, windows and lines carry numbers of another server, and
   *     cannot be compared with this server's rows; 0 if there is none
   * @param cleared the blocks whose rows were cleared
   * @param databases all databases that have written the log, according to its row; empty if the
   *     row names none
   */
  record SettledLog(
      UUID log,
      LogHead head,
      @Nullable LogChain floorChain,
      long rebasedSlot,
      BlockRanges cleared,
      List<DatabaseIdentity> databases) {
    /** Whether another database has written the object; false if unknown. */
    boolean isOfAnother(ObjectMetadata object) {
      DatabaseIdentity writer = object.database();
      return writer != null
          && !databases.isEmpty()
          && databases.stream().noneMatch(writer::isSameDatabase);
    }
  }
}
