package dev.recorder.machine;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.slotlog.SlotStore;

/**
 * Goes once through what a term does, to no effect: the data session is then open and the classes
 * are loaded, so that a takeover does not wait for either.
 *
 * <p>Its ledger is bound to an epoch that never is, so every conditional statement finds itself
 * fenced.
 */
final class Rehearsal {
  static final long NO_EPOCH = -1;

  private Rehearsal() {}

  /** Why it did not go through; empty if it did. */
  static String of(RecorderSettings settings, Ledger ledger, SlotStore store) {
    if (ledger.load() instanceof Event.DatabaseUnclear unclear) {
      return unclear.why();
    }
    ledger.read(new Effect.Read(1, 0, Position.START, false));
    SlotContentBuilder content =
        new SlotContentBuilder(settings.rotation(), settings.layout().compression());
    content.offer(new HandoffRow(1, 3, 0, "key", "{}"));
    Snapshot end = Snapshot.parse("4:4:");
    ledger.settle(
        new Effect.Settle(
            content.build(1, "rehearsal", new Window(Snapshot.NOTHING, end, true)), null));
    store.perform(new Effect.Look(1));
    return "";
  }
}
