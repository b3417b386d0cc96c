package dev.recorder.requests.worker;

import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.handlers.HandlerException;
import org.jspecify.annotations.Nullable;

/** What processes a back end's units, and whether it can. */
interface Handling {

  /**
   * Why no unit can be processed now, and what to do about it; empty if they can. May take long. On
   * a thread of the recorder's.
   *
   * @throws HandlerException if that is not to be asked again: there is no such handler
   */
  String trouble();

  /** For all workers at the same time, once there was no trouble. */
  UnitWorker worker();

  /** To which its workers' threads belong; null if to no group of their own. */
  default @Nullable ThreadGroup threads() {
    return null;
  }
}
