package dev.recorder.machine;

import dev.recorder.logging.LogEvent;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One line for each step of a term and what came of it, at DEBUG: for whoever wants to watch one
 * recorder at work. Rows and keys of rows are not told.
 */
final class StepLine {
  private StepLine() {}

  static void tell(Logger log, Effect effect, Event event) {
    if (!log.isDebugEnabled()) {
      return;
    }
    Long slot = slot(effect);
    String why = why(event);
    log.debug(
        LogEvent.STEP_DONE,
        "{}{}: {}{}",
        effect.getClass().getSimpleName(),
        slot == null ? "" : " of slot " + slot,
        event.getClass().getSimpleName(),
        why == null ? "" : ": " + why,
        slot,
        why);
  }

  private static @Nullable Long slot(Effect effect) {
    if (effect instanceof Effect.Look look) {
      return look.slot();
    } else if (effect instanceof Effect.Read read) {
      return read.slot();
    } else if (effect instanceof Effect.Plan plan) {
      return plan.content().slot();
    } else if (effect instanceof Effect.Put put) {
      return put.content().slot();
    } else if (effect instanceof Effect.Settle settle) {
      return settle.content().slot();
    }
    return effect instanceof Effect.Adopt adopt ? (Long) (adopt.head().lastSlot() + 1) : null;
  }

  private static @Nullable String why(Event event) {
    if (event instanceof Event.DatabaseUnclear unclear) {
      return unclear.why();
    } else if (event instanceof Event.StoreUnclear unclear) {
      return unclear.why();
    }
    return event instanceof Event.Final last ? last.why() : null;
  }
}
