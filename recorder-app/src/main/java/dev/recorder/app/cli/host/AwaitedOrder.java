package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CallingUser;
import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.orders.HostAnswer;
import dev.recorder.operate.orders.MachineOrder;
import dev.recorder.operate.orders.OrderKind;
import dev.recorder.operate.orders.OrderQueue;
import dev.recorder.operate.orders.OrderQueue.OrderStanding;
import dev.recorder.operate.orders.OrderQueue.OrderState;
import dev.recorder.operate.orders.OrderRequest;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;

/**
 * Gives an order to a host through the database, and waits for the answer. Withdraws an order that
 * the host does not take in time.
 */
final class AwaitedOrder {
  private static final Duration POLL = Duration.ofMillis(50);

  private final Inspection database;
  private final OrderQueue orders;
  private final OrderRequest request;
  private final String machine;
  private final String what;
  private final Ticker ticker;
  private final Duration patience;

  /**
   * Creates the order. The wait for the answer is limited to the time within which the host must
   * take the order.
   */
  AwaitedOrder(Inspection database, OrderRequest request, Ticker ticker) {
    this.database = database;
    this.orders = database.orders();
    this.request = request;
    this.machine = request.machine();
    this.what = words(request.kind());
    this.ticker = ticker;
    this.patience = request.takeWithin();
  }

  /** Gives an order that concerns a host or one of its recorders, and waits for the answer. */
  static HostAnswer ask(
      Inspection database, String machine, OrderKind kind, String recorder, Duration patience)
      throws CommandFailure, InterruptedException {
    OrderRequest request =
        new OrderRequest(kind, machine, recorder, "", patience, CallingUser.stated());
    AwaitedOrder order = new AwaitedOrder(database, request, Ticker.system());
    return HostAnswer.parse(order.carryOut()).orElseThrow(order::notUnderstood);
  }

  /** Returns the order in words, such as {@code to reload}. */
  static String words(OrderKind kind) {
    return switch (kind) {
      case RELOAD, COMPARE -> "to reload";
      case DRAIN -> "to be drained";
      case UNDRAIN -> "to accept recorders again";
      case REHEARSE -> "to rehearse";
    };
  }

  private static String words(MachineOrder order) {
    return "order %d %s%s, asked by %s"
        .formatted(
            order.id(),
            words(order.kind()),
            order.recorder().isEmpty() ? "" : " " + order.recorder(),
            order.by());
  }

  /** Returns the behaviour of a process that starts later, as a sentence without a subject. */
  private String atStart() {
    return switch (request.kind()) {
      case RELOAD, COMPARE -> "reads the file when it starts";
      default -> "is not drained when it starts";
    };
  }

  /**
   * Gives the order, and waits for the answer.
   *
   * @return the host's answer, as JSON
   * @throws CommandFailure if the host is not alive, does not answer or reports a failure
   */
  String carryOut() throws CommandFailure, InterruptedException {
    requireMachine();
    String answer;
    try {
      answer = await(OrderFailures.given("nothing was asked of host " + machine, this::ask));
    } catch (DatabaseException lost) {
      throw lost(machine, lost);
    }
    String error = HostAnswer.parse(answer).map(HostAnswer::error).orElse("");
    if (!error.isEmpty()) {
      throw CommandFailure.tryLater("host %s, asked %s: %s".formatted(machine, what, error));
    }
    return answer;
  }

  private long ask() throws CommandFailure {
    return orders.ask(request).orElseThrow(this::tooMany);
  }

  private CommandFailure tooMany() {
    return CommandFailure.tryLater(
        "too many orders wait for host %s; nothing was asked of it".formatted(machine));
  }

  /**
   * Returns the failure for a database that was lost after the order was given, or may have been
   * given.
   */
  static CommandFailure lost(String machine, DatabaseException e) {
    return OrderFailures.lost("to host " + machine, e, "the host's log tells");
  }

  /** Returns the failure for an answer that this version cannot read. */
  CommandFailure notUnderstood() {
    return new CommandFailure(
        ExitCode.FAULTS,
        "host %s gave an answer to the order %s that this version does not understand; its log says what it did"
            .formatted(machine, what));
  }

  private String await(long order) throws CommandFailure, InterruptedException {
    long deadline = ticker.nanos() + patience.toNanos();
    while (ticker.nanos() - deadline < 0) {
      Optional<String> answer = unhindered(order);
      if (answer.isPresent()) {
        return answer.get();
      }
      Pause.sleep(POLL);
    }
    if (orders.withdraw(order)) {
      throw CommandFailure.tryLater(
          "nothing was done: host %s did not take the order %s within %s s%s, and the order is withdrawn"
              .formatted(machine, what, patience.toSeconds(), busyWith()));
    }
    return unhindered(order).orElseThrow(() -> CommandFailure.tryLater(underWay(order)));
  }

  /**
   * Returns the order that the host is carrying out at the moment, in words. A host carries out one
   * order after the other.
   */
  private String busyWith() {
    try {
      return orders
          .underWay(machine)
          .map(other -> ", as it is still at " + words(other))
          .orElse("");
    } catch (DatabaseException unknown) {
      return "";
    }
  }

  /** Returns the answer. Fails at once if another session holds a lock on the answer's row. */
  private Optional<String> unhindered(long order) throws CommandFailure {
    try {
      return answer(order);
    } catch (DatabaseException e) {
      if (e.kind() != DatabaseErrorKind.BUSY) {
        throw e;
      }
      throw CommandFailure.tryLater(
          orders.withdraw(order)
              ? "the order %s to host %s is withdrawn, nothing was done: %s"
                  .formatted(what, machine, e.getMessage())
              : "host %s has taken order %d %s, and its outcome cannot be determined: %s; its log tells"
                  .formatted(machine, order, what, e.getMessage()));
    }
  }

  private String underWay(long order) {
    return "host %s has taken order %d %s and has not answered within %s s: it is still under way, or was lost with its session; its log says which"
        .formatted(machine, order, what, patience.toSeconds());
  }

  private void requireMachine() throws CommandFailure {
    MachineStatus known =
        database.machines(HostOption.FRESH).stream()
            .filter(status -> status.name().equals(machine))
            .findFirst()
            .orElseThrow(
                () ->
                    CommandFailure.tryLater(
                        "no host '%s' has ever run with this database; a process %s"
                            .formatted(machine, atStart())));
    if (!known.alive()) {
      throw CommandFailure.tryLater(
          "host %s is not alive, its last heartbeat was at %s: nothing was asked of it; a process %s, and one that was frozen or cut off continues unchanged"
              .formatted(machine, known.lastBeat(), atStart()));
    }
  }

  private Optional<String> answer(long order) throws CommandFailure {
    OrderStanding standing =
        orders
            .look(order)
            .orElseThrow(
                () -> CommandFailure.tryLater("order %d no longer exists".formatted(order)));
    if (standing.state() == OrderState.WITHDRAWN) {
      throw CommandFailure.tryLater(
          "order %d to host %s was withdrawn: nothing was done".formatted(order, machine));
    }
    if (standing.state() == OrderState.NEW && !standing.sameSession() && orders.withdraw(order)) {
      throw CommandFailure.tryLater(
          "host %s lost its session with the database before it took the order %s: nothing was done"
              .formatted(machine, what));
    }
    return standing.state() == OrderState.DONE
        ? Optional.ofNullable(standing.answer())
        : Optional.empty();
  }
}
