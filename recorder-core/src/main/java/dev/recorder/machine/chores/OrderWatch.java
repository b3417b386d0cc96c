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
 * Looks, every second, for operators' orders to this host, and carries them out one at a time; the
 * next one is taken once the answer to the last is written. Recording does not depend on this. If
 * the table is locked, missing or unreadable, looks pause for a while, and missing rights are
 * logged.
 */
public final class OrderWatch implements ChoreWork {
  private static final Logger log = LoggerFactory.getLogger(OrderWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final RdsManager manager;
  private final MachineOrders orders;
  private final Map<OrderKind, Function<MachineOrder, String>> handlers;

  // Used by one turn at a time.
  private @Nullable OrderAnswer unwritten;

  private record OrderAnswer(long order, String json) {}

  /**
   * Begins to look for orders.
   *
   * @param handlers carry out an order of their kind, on a thread that may wait, and give the
   *     answer as JSON; orders of other kinds are not taken
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

  /**
   * Logs each new failure, except those reported elsewhere: the operator's command names a session
   * that locks the table, and an outage has its own line.
   */
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

  /** Returns the answer, also for a failure, since a taken order is never taken again. */
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

  /**
   * Writes the pending answer. If the session was lost before, the answer is written on the next
   * session.
   */
  private void write() {
    OrderAnswer answer = unwritten;
    if (answer != null) {
      manager.call(c -> orders.answer(c, answer.order(), answer.json()));
      unwritten = null;
    }
  }
}
