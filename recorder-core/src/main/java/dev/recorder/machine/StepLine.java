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
    @Nullable Long slot = effect instanceof Effect.OfSlot of ? (Long) of.slot() : null;
    @Nullable String why = event instanceof Event.Explained explained ? explained.why() : null;
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
}
