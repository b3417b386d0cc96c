package dev.recorder.requests.worker;

import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.handlers.HandlerException;
import org.jspecify.annotations.Nullable;

/** The processor of a back end's units, and whether it is usable. */
interface UnitProcessor {

  /**
   * Returns why no unit can be processed now, with the remedy; empty if units can be processed. May
   * take long. Called on a thread of the recorder.
   *
   * @throws HandlerException if units can never be processed, since there is no such handler
   */
  String trouble();

  /** Returns the worker for all threads of the recorder, after a check without trouble. */
  UnitWorker worker();

  /** The group of the workers' threads; null for the default group. */
  default @Nullable ThreadGroup threads() {
    return null;
  }
}
