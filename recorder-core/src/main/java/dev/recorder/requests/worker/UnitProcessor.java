package dev.recorder.requests.worker;

import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.handlers.HandlerException;
import org.jspecify.annotations.Nullable;

/** The processor of a back end's units, and whether it is usable. */
interface UnitProcessor {

  /**
   * Why no unit can be processed now, and the remedy; empty if units can be processed. May take
   * long. On a thread of the recorder's.
   *
   * @throws HandlerException if it is final: there is no such handler
   */
  String trouble();

  /** For all workers at the same time, after a check without trouble. */
  UnitWorker worker();

  /** The group of its workers' threads; null for the default one. */
  default @Nullable ThreadGroup threads() {
    return null;
  }
}
