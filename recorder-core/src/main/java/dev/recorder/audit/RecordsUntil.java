package dev.recorder.audit;

import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.audit.objects.UnfinishedException;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RowKey;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.ObjectMetadata;
import java.util.List;
import java.util.OptionalLong;

/**
 * The records of a log as if it ended with an earlier window: its rows are those that the window's
 * end sees.
 *
 * <p>If the last slot has no plans, the rows of this and all earlier slots are cleared, so no row
 * of the table is due. The chain at the end comes from the end's own object, since the database has
 * only the chain of the last slot.
 */
public final class RecordsUntil implements LogRecords {
  private final LogRecords records;
  private final ObjectMetadata end;

  /**
   * Creates the records up to an object.
   *
   * @param end the object of the last slot of a window, above the rebased slots
   */
  public RecordsUntil(LogRecords records, ObjectMetadata end) {
    this.records = records;
    this.end = end;
  }

  @Override
  public SettledLog settled() {
    SettledLog now = records.settled();
    LogHead head = new LogHead(end.slot(), now.head().firstSlot(), end.chain(), position(now));
    return new SettledLog(
        now.log(), head, now.floorChain(), now.rebasedSlot(), now.cleared(), now.databases());
  }

  @Override
  public boolean isWhole() {
    return false;
  }

  private Position position(SettledLog now) {
    if (end.slot() == now.head().lastSlot()) {
      return now.head().position();
    }
    List<SlotPlan> plans = records.plans(end.slot());
    if (plans.isEmpty()) {
      return Position.START;
    }
    return plans.stream()
        .filter(plan -> plan.sha256().equals(end.sha256()))
        .map(SlotPlan::window)
        .filter(window -> window != null)
        .findFirst()
        .map(window -> Position.doneUpTo(window.to()))
        .orElseThrow(() -> new UnfinishedException(unknownWindow()));
  }

  /** The message for an adopted slot, which has another server's window, or none. */
  private String unknownWindow() {
    return "slot %d was adopted by its rows, and this server does not know what was committed then: name another moment"
        .formatted(end.slot());
  }

  @Override
  public List<SlotPlan> plans(long slot) {
    return records.plans(slot);
  }

  @Override
  public long plansFrom() {
    return Math.min(records.plansFrom(), end.slot() + 1);
  }

  @Override
  public OptionalLong slotOf(RowKey row) {
    return records.slotOf(row);
  }

  @Override
  public String remedy(List<RowKey> lost) {
    return records.remedy(lost);
  }
}
