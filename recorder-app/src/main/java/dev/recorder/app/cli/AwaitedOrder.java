package dev.recorder.app.cli;

import dev.recorder.operate.Inspection;
import dev.recorder.operate.MachineStatus;
import dev.recorder.operate.OrderBook.OrderStanding;
import dev.recorder.operate.OrderBook.OrderState;
import dev.recorder.operate.OrderDesk;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;

/**
 * An order to the process of a host, through the database, and the wait for its answer. One that
 * nobody takes in its time is withdrawn.
 */
final class AwaitedOrder {
  private static final Duration POLL = Duration.ofMillis(50);

  /** As old as a heartbeat may be; hosts may be busy. */
  private static final Duration FRESH = Duration.ofSeconds(3);

  private final Inspection database;
  private final String machine;
  private final Desk desk;
  private final Ticker ticker;
  private final Duration patience;

  /** Orders of a sort, and how they are described to people. */
  interface Desk {
    /** As in {@code to reload}. */
    String what();

    /** What a process does instead, without a subject. */
    String atStart();

    /** Where they are left. */
    OrderDesk<?> orders();

    /** The order's number; empty if too many wait. */
    Optional<Long> ask();

    /** Which other order the machine has taken and not carried out, in words. */
    Optional<String> underWay();
  }

  /**
   * Nothing is ordered yet.
   *
   * @param patience how long the answer may take
   */
  AwaitedOrder(Inspection database, String machine, Desk desk, Ticker ticker, Duration patience) {
    this.database = database;
    this.machine = machine;
    this.desk = desk;
    this.ticker = ticker;
    this.patience = patience;
  }

  /**
   * Orders, and waits.
   *
   * @return what the process said, as JSON
   * @throws CommandFailure if there is no process, or it did not answer
   */
  String carryOut() throws CommandFailure, InterruptedException {
    requireMachine();
    try {
      return await(OrderTrouble.given("nothing was asked of machine " + machine, this::ask));
    } catch (DatabaseException lost) {
      throw lost(machine, lost);
    }
  }

  private long ask() throws CommandFailure {
    return desk.ask().orElseThrow(this::tooMany);
  }

  private CommandFailure tooMany() {
    return CommandFailure.tryLater(
        "too many orders %s wait for machine %s; nothing was asked of it"
            .formatted(desk.what(), machine));
  }

  /** What is said if the database is lost when it was asked, or may have been. */
  static CommandFailure lost(String machine, DatabaseException e) {
    return OrderTrouble.lost("to machine " + machine, e, "the machine's log tells");
  }

  /** What is said of an answer of another version. */
  static CommandFailure notUnderstood(String machine, String what) {
    return new CommandFailure(
        ExitCode.FAULTS,
        "machine %s gave an answer to the order %s that this version does not understand; its log says what it did"
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
    if (desk.orders().withdraw(order)) {
      throw CommandFailure.tryLater(
          "machine %s did not take the order %s within %s s%s, and is not asked any longer: nothing was done"
              .formatted(machine, desk.what(), patience.toSeconds(), busyWith()));
    }
    return unhindered(order).orElseThrow(() -> CommandFailure.tryLater(underWay(order)));
  }

  /** It carries out one order after the other. */
  private String busyWith() {
    try {
      return desk.underWay().map(other -> ", as it is still at " + other).orElse("");
    } catch (DatabaseException unknown) {
      return "";
    }
  }

  /** The answer, if there is one; nobody waits on while a stranger keeps it from being seen. */
  private Optional<String> unhindered(long order) throws CommandFailure {
    try {
      return answer(order);
    } catch (DatabaseException e) {
      if (e.kind() != DatabaseErrorKind.BUSY) {
        throw e;
      }
      throw CommandFailure.tryLater(
          desk.orders().withdraw(order)
              ? "the order %s to machine %s is withdrawn, nothing was done: %s"
                  .formatted(desk.what(), machine, e.getMessage())
              : "machine %s has taken order %d %s, and its outcome cannot be determined: %s; its log tells"
                  .formatted(machine, order, desk.what(), e.getMessage()));
    }
  }

  private String underWay(long order) {
    return "machine %s has taken order %d %s and has not answered within %s s: it is still under way, or was lost with its session; its log says which"
        .formatted(machine, order, desk.what(), patience.toSeconds());
  }

  private void requireMachine() throws CommandFailure {
    MachineStatus known =
        database.machines(FRESH).stream()
            .filter(status -> status.name().equals(machine))
            .findFirst()
            .orElseThrow(
                () ->
                    CommandFailure.tryLater(
                        "no machine '%s' has ever run with this database; a process %s"
                            .formatted(machine, desk.atStart())));
    if (!known.alive()) {
      throw CommandFailure.tryLater(
          "machine %s is not alive, its last heartbeat was at %s: nothing was asked of it; a process %s, and one that was frozen or cut off goes on as it was"
              .formatted(machine, known.lastBeat(), desk.atStart()));
    }
  }

  private Optional<String> answer(long order) throws CommandFailure {
    OrderStanding standing =
        desk.orders()
            .look(order)
            .orElseThrow(
                () -> CommandFailure.tryLater("order %d no longer exists".formatted(order)));
    if (standing.state() == OrderState.WITHDRAWN) {
      throw CommandFailure.tryLater(
          "order %d to machine %s was withdrawn: nothing was done".formatted(order, machine));
    }
    if (standing.state() == OrderState.NEW
        && !standing.sameSession()
        && desk.orders().withdraw(order)) {
      throw CommandFailure.tryLater(
          "machine %s lost its session with the database before it took the order %s: nothing was done"
              .formatted(machine, desk.what()));
    }
    return standing.state() == OrderState.DONE
        ? Optional.ofNullable(standing.answer())
        : Optional.empty();
  }
}
