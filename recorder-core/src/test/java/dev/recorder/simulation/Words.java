package dev.recorder.simulation;

import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.store.ObjectStore;

/** Short words for the trace, the same in every run: no identity hashes, no order of sets. */
final class Words {
  private Words() {}

  static String of(Object thing) {
    if (thing instanceof Effect effect) {
      return effect(effect);
    } else if (thing instanceof Event.Built built) {
      return "Built " + content(built.content());
    } else if (thing instanceof ObjectStore.GetAnswer
        || thing instanceof ControlAnswer.Seen
        || thing instanceof ControlAction.Connect
        || thing instanceof ControlAction.Beat
        || thing instanceof ControlAction.Register) {
      return thing.getClass().getSimpleName();
    }
    return String.valueOf(thing);
  }

  private static String effect(Effect effect) {
    if (effect instanceof Effect.Plan plan) {
      return "Plan " + content(plan.content());
    } else if (effect instanceof Effect.Put put) {
      return "Put " + content(put.content());
    } else if (effect instanceof Effect.Settle settle) {
      SlotContent next = settle.next();
      String and = next == null ? "" : " and plan " + content(next);
      return "Settle " + content(settle.content()) + and;
    } else if (effect instanceof Effect.Read read) {
      return "Read " + read.slot() + " if last is " + read.lastSlot();
    }
    return effect.toString();
  }

  private static String content(SlotContent content) {
    return content.slot()
        + " "
        + content.sha256().substring(0, 6)
        + " "
        + content.extent().rows()
        + " rows of "
        + content.window()
        + (content.more() ? "…" : "");
  }
}
