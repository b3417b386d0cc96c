package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.OsUser;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.orders.HostAnswer;
import dev.recorder.operate.orders.OrderKind;
import dev.recorder.operate.orders.OrderRequest;
import dev.recorder.time.Ticker;
import java.time.Duration;

/** Asks a machine to be drained and such, and waits for what it says. */
final class HostCall {
  private HostCall() {}

  /**
   * Asks, and waits.
   *
   * @param recorder which one it is about; empty if it is about all
   */
  static HostAnswer ask(
      Inspection database, String machine, OrderKind kind, String recorder, Duration patience)
      throws CommandFailure, InterruptedException {
    OrderRequest request = new OrderRequest(kind, machine, recorder, "", patience, OsUser.stated());
    AwaitedOrder order = new AwaitedOrder(database, request, Ticker.system());
    return HostAnswer.parse(order.carryOut()).orElseThrow(order::notUnderstood);
  }
}
