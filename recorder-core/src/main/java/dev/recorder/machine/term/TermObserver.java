package dev.recorder.machine.term;

import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;

/**
 * Sees the effects of one term and their answers go by. It carries nothing and decides nothing: a
 * term would go the same way without it.
 */
interface TermObserver {
  /** Called on the effect's lane before it is carried out. */
  void begins(Effect effect);

  /** Called before the writer takes the answer; not after the term's end. */
  void answered(Effect effect, Event event);
}
