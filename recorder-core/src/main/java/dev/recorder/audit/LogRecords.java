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
 * Port: what the database says of one log. Called on one thread. What cannot be read is an
 * exception of the adapter's, which passes through the verifier.
 */
public interface LogRecords {

  /** The log's identity and where it stands at this moment. */
  SettledLog settled();

  /** Whether the log ends there: what is behind it is not settled yet. */
  default boolean isWhole() {
    return true;
  }

  /**
   * All contents ever planned for {@code slot}; the settled one is among them. None of a slot below
   * {@link #plansFrom()}.
   */
  List<SlotPlan> plans(long slot);

  /** The first slot that has plans: those of the slots before it are deleted, rows and all. */
  long plansFrom();

  /** The slot whose window has {@code row}; empty if none has. */
  OptionalLong slotOf(RowKey row);

  /**
   * What gets rows into the log that the hand-off has, that the position has passed, and that no
   * slot holds; for an operator to read and run.
   */
  String remedy(List<RowKey> lost);

  /**
   * See {@link #settled()}.
   *
   * @param floorChain of the slots below the floor; null if it is not known
   * @param rebasedSlot up to this slot windows and lines carry numbers of another server, so that
   *     neither can be compared with this one's rows; 0 if there is none
   * @param cleared the blocks whose rows were cleared away
   * @param databases all that have written it, as its row says; empty if it says nothing
   */
  record SettledLog(
      UUID log,
      LogHead head,
      @Nullable LogChain floorChain,
      long rebasedSlot,
      BlockRanges cleared,
      List<DatabaseIdentity> databases) {
    /** Whether another database has written the object; not if that is not known. */
    boolean isOfAnother(ObjectMetadata object) {
      DatabaseIdentity writer = object.database();
      return writer != null
          && !databases.isEmpty()
          && databases.stream().noneMatch(writer::isSameDatabase);
    }
  }
}
