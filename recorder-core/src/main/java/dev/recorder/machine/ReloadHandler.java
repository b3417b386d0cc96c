package dev.recorder.machine;

import dev.recorder.operate.orders.MachineOrder;

/** Carries out operators' orders to read a host's configuration again. */
@FunctionalInterface
public interface ReloadHandler {
  /**
   * Carries out an order of kind {@code RELOAD} or {@code COMPARE}, on a thread of the host that
   * may wait for files. Orders come one at a time.
   *
   * @return the result as JSON, for the operator who gave the order
   */
  String carryOut(MachineOrder order);

  /**
   * Says what is wrong with the recorder's section of the configuration file when it is read now.
   * Empty if nothing is wrong and the host runs with those settings.
   */
  default String fileTrouble(String recorder) {
    return "";
  }
}
