package dev.recorder.machine;

import dev.recorder.operate.orders.MachineOrder;

/** Carries out operators' orders to read the configuration of a machine again. */
@FunctionalInterface
public interface ReloadHandler {
  /**
   * Carries one out, of kind {@code RELOAD} or {@code COMPARE}, on a thread of the machine's that
   * may wait for files. One at a time.
   *
   * @return what became of it, as JSON: whoever asked is told that
   */
  String carryOut(MachineOrder order);

  /**
   * What is wrong with the configuration file of one recorder, if it is read now; empty if nothing
   * is, and the machine does what it says.
   */
  default String fileTrouble(String recorder) {
    return "";
  }
}
