package dev.recorder.machine.term;

import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;

/**
 * Observes the effects of one term and their answers. It changes nothing: the term runs the same
 * without it.
 */
interface TermObserver {
  /** Called on the effect's lane before the effect is carried out. */
  void begins(Effect effect);

  /** Called before the writer takes the answer; not after the term's end. */
  void answered(Effect effect, Event event);
}
