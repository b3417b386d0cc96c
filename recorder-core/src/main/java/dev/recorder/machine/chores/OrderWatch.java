package dev.recorder.machine.chores;

import dev.recorder.logging.LogEvent;
import dev.recorder.machine.schedule.Chore.ChoreWork;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.operate.orders.HostAnswer;
import dev.recorder.operate.orders.MachineOrder;
import dev.recorder.operate.orders.MachineOrders;
import dev.recorder.operate.orders.OrderKind;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.RdsManager;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, every second, whether an operator has ordered something of this machine, and has that
 * done: one order at a time, the next one once the answer to the last is written. Recording does
 * not depend on it: a table that is locked, not there or not to be read is left alone for a while,
 * and of the last the log has a line.
 */
public final class OrderWatch implements ChoreWork {
  private static final Logger log = LoggerFactory.getLogger(OrderWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final RdsManager manager;
  private final MachineOrders orders;
  private final Map<OrderKind, Function<MachineOrder, String>> handlers;

  // For one turn after the other.
  private @Nullable OrderAnswer unwritten;

  private record OrderAnswer(long order, String json) {}

  /**
   * Looks from now on.
   *
   * @param handlers carry an order out, on a thread that may wait, and give the answer as JSON;
   *     orders of other kinds are not taken
   */
  public OrderWatch(
      RdsManager manager,
      SharedResources resources,
      Map<OrderKind, Function<MachineOrder, String>> handlers) {
    this.manager = manager;
    this.handlers = handlers;
    this.orders = new MachineOrders(manager.schemas());
    resources.begin("a look for orders", EVERY, this);
  }

  @Override
  public void turn() {
    if (manager.isConnected()) {
      serve();
    }
  }

  /** Of whoever has locked the table the command says so, and an outage has its own line. */
  @Override
  public void failed(DatabaseException failure, boolean isNew) {
    boolean isKnown =
        failure.kind() == DatabaseErrorKind.BUSY || failure.kind() == DatabaseErrorKind.UNREACHABLE;
    if (isNew && !isKnown) {
      String remedy =
          failure.kind() == DatabaseErrorKind.RIGHTS ? DatabaseException.RIGHTS_REMEDY : "";
      log.warn(
          LogEvent.ORDERS_NOT_TAKEN,
          "orders in {} are not taken, retrying: {}",
          orders.table(),
          failure.getMessage() + remedy);
    }
  }

  private void serve() {
    write();
    for (Optional<MachineOrder> next = take(); next.isPresent(); next = take()) {
      unwritten = new OrderAnswer(next.get().id(), carryOut(next.get()));
      write();
    }
  }

  /** The answer, also if it fails: nobody looks at an order again that was taken. */
  private String carryOut(MachineOrder order) {
    try {
      return Objects.requireNonNull(handlers.get(order.kind())).apply(order);
    } catch (DatabaseException failure) {
      return HostAnswer.failed(String.valueOf(failure.getMessage())).json();
    } catch (RuntimeException bug) {
      log.error(LogEvent.BUG, "bug: an operator's order could not be carried out", bug);
      return HostAnswer.failed(
              "bug: it could not be carried out, and perhaps a part of it was: " + bug)
          .json();
    }
  }

  private Optional<MachineOrder> take() {
    RdsManager.Identity identity = manager.identity();
    return manager.call(c -> orders.take(c, handlers.keySet(), manager.machine(), identity));
  }

  /** What could not be written, as the session was lost, is written on the next one. */
  private void write() {
    OrderAnswer answer = unwritten;
    if (answer != null) {
      manager.call(c -> orders.answer(c, answer.order(), answer.json()));
      unwritten = null;
    }
  }
}
