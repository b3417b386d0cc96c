package dev.recorder.app.cli;

import dev.recorder.operate.HostAnswer;
import dev.recorder.operate.HostDesk;
import dev.recorder.operate.HostOrder;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.OrderDesk;
import dev.recorder.operate.OrderHead;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;

/**
 * Where a machine is asked for something.
 *
 * @param recorder which one it is about; empty if it is about all
 */
record HostCall(HostDesk desk, OrderHead head, HostOrder.HostWish wish, String recorder)
    implements AwaitedOrder.Desk {

  /** Asks a machine, and waits for what it says. */
  static HostAnswer ask(
      Inspection database,
      String machine,
      HostOrder.HostWish wish,
      String recorder,
      Duration patience)
      throws CommandFailure, InterruptedException {
    OrderHead head = new OrderHead(machine, patience, OsUser.stated());
    HostCall call = new HostCall(database.hosts(), head, wish, recorder);
    String json = new AwaitedOrder(database, machine, call, Ticker.system(), patience).carryOut();
    HostAnswer answer =
        HostAnswer.parse(json).orElseThrow(() -> AwaitedOrder.notUnderstood(machine, call.what()));
    if (!answer.error().isEmpty()) {
      throw CommandFailure.tryLater(
          "machine %s, asked %s: %s".formatted(machine, call.what(), answer.error()));
    }
    return answer;
  }

  @Override
  public String what() {
    return words(wish);
  }

  private static String words(HostOrder.HostWish wish) {
    return switch (wish) {
      case DRAIN -> "to be drained";
      case UNDRAIN -> "to accept recorders again";
      case REHEARSE -> "to rehearse";
    };
  }

  @Override
  public Optional<String> underWay() {
    return desk.underWay(head.machine()).map(HostCall::words);
  }

  private static String words(HostOrder order) {
    return "order %d %s%s, asked by %s"
        .formatted(
            order.id(),
            words(order.wish()),
            order.recorder().isEmpty() ? "" : " " + order.recorder(),
            order.by());
  }

  @Override
  public String atStart() {
    return "is not drained when it starts";
  }

  @Override
  public OrderDesk<?> orders() {
    return desk;
  }

  @Override
  public Optional<Long> ask() {
    return desk.order(head, wish, recorder);
  }
}
