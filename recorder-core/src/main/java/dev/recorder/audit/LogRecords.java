package dev.recorder.audit;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.slotlog.LogHead;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Port: what the database says of one log. Called on one thread. What cannot be read is an
 * exception of the adapter's, which passes through the verifier.
 */
public interface LogRecords {

  /** The log's identity and where it stands at this moment. */
  Settled settled();

  /** All contents ever planned for {@code slot}; the settled one is among them. */
  List<SlotPlan> plans(long slot);

  /**
   * Hands over, in the order (xid, id), the rows that {@code to} sees and {@code from} does not
   * cover, without those that objects adopted by row identity hold.
   *
   * @param last where to stop, that row included, or null for all of them
   */
  void rows(Position from, Snapshot to, @Nullable RowKey last, Consumer<HandoffRow> sink);

  /**
   * Hands over, in the order (xid, id), the rows that reads pass over because {@code slot} is said
   * to hold them.
   */
  void excludedBy(long slot, Consumer<HandoffRow> sink);

  /**
   * The time of the oldest row still kept, microseconds since 1970; empty if the table is. Rows are
   * cleared by age, so an older line has no row left to be compared with.
   */
  OptionalLong oldestTimeMicros();

  /**
   * See {@link #settled()}.
   *
   * @param rebasedSlot up to this slot windows and lines carry numbers of another server, so that
   *     neither can be compared with this one's rows; 0 if there is none
   */
  record Settled(UUID log, LogHead head, long rebasedSlot) {}
}
