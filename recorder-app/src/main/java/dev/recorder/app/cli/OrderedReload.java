package dev.recorder.app.cli;

import dev.recorder.app.daemon.ReloadAnswer;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.MachineStatus;
import dev.recorder.operate.ReloadOrders.Standing;
import dev.recorder.operate.ReloadOrders.State;
import dev.recorder.operate.ReloadOrders.Wanted;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;

/**
 * Orders the process of a host to reload, through the database, and waits for its answer. An order
 * that nobody takes in its time is withdrawn.
 */
final class OrderedReload {
  private static final Duration POLL = Duration.ofMillis(50);

  /** As old as a heartbeat may be; hosts may be busy. */
  private static final Duration FRESH = Duration.ofSeconds(3);

  private final Inspection database;
  private final String machine;
  private final String file;
  private final Ticker ticker;
  private final Duration patience;

  /**
   * Nothing is ordered yet.
   *
   * @param file its own path, without links
   * @param patience how long each answer may take
   */
  OrderedReload(
      Inspection database, String machine, String file, Ticker ticker, Duration patience) {
    this.database = database;
    this.machine = machine;
    this.file = file;
    this.ticker = ticker;
    this.patience = patience;
  }

  /**
   * Orders, and waits.
   *
   * @return what the process said, also if the file is bad
   * @throws CommandFailure if there is no process, or it did not answer
   */
  ReloadAnswer order(boolean dryRun) throws CommandFailure, InterruptedException {
    requireMachine();
    try {
      return await(ask(dryRun));
    } catch (DatabaseException lost) {
      throw lost(machine, lost);
    }
  }

  /** What is said if the database is lost when it was asked, or may have been. */
  static CommandFailure lost(String machine, DatabaseException e) {
    return new CommandFailure(
        ExitCode.of(e),
        "what became of the order to machine %s is not known, as the database is lost: %s; the machine's log tells"
            .formatted(machine, e.getMessage()));
  }

  private long ask(boolean dryRun) throws CommandFailure {
    return database
        .orderReload(new Wanted(machine, dryRun, file, patience, osUser()))
        .orElseThrow(
            () ->
                CommandFailure.tryLater(
                    "too many orders to reload wait for machine %s; nothing was asked of it"
                        .formatted(machine)));
  }

  private ReloadAnswer await(long order) throws CommandFailure, InterruptedException {
    long deadline = ticker.nanos() + patience.toNanos();
    while (ticker.nanos() - deadline < 0) {
      Optional<ReloadAnswer> answer = answer(order);
      if (answer.isPresent()) {
        return answer.get();
      }
      Pause.sleep(POLL);
    }
    if (database.withdrawReload(order)) {
      throw CommandFailure.tryLater(
          "machine %s did not take the order to reload within %s s, and is not asked any longer: nothing was done"
              .formatted(machine, patience.toSeconds()));
    }
    return answer(order).orElseThrow(() -> CommandFailure.tryLater(underWay(order)));
  }

  private String underWay(long order) {
    return "machine %s has taken order %d to reload and has not answered within %s s: it is still under way, or was lost with its session; its log says which"
        .formatted(machine, order, patience.toSeconds());
  }

  private void requireMachine() throws CommandFailure {
    if (!database.canOrderReloads()) {
      throw new CommandFailure(
          ExitCode.RIGHTS,
          "orders to reload go through a table that is not there yet; let an administrator run the"
              + " output of 'recorder schema', or send SIGHUP to the process");
    }
    MachineStatus known =
        database.machines(FRESH).stream()
            .filter(status -> status.name().equals(machine))
            .findFirst()
            .orElseThrow(
                () ->
                    CommandFailure.tryLater(
                        "no machine '%s' has ever run with this database; a process reads the file when it starts"
                            .formatted(machine)));
    if (!known.alive()) {
      throw CommandFailure.tryLater(
          "machine %s is not alive, its last heartbeat was at %s: nothing was asked of it; it reads the file when it starts"
              .formatted(machine, known.lastBeat()));
    }
  }

  private Optional<ReloadAnswer> answer(long order) throws CommandFailure {
    Standing standing =
        database
            .reload(order)
            .orElseThrow(
                () -> CommandFailure.tryLater("order %d is not there any more".formatted(order)));
    if (standing.state() == State.WITHDRAWN) {
      throw CommandFailure.tryLater(
          "order %d to machine %s was withdrawn: nothing was done".formatted(order, machine));
    }
    if (standing.state() == State.NEW
        && !standing.sameSession()
        && database.withdrawReload(order)) {
      throw CommandFailure.tryLater(
          "machine %s lost its session with the database before it took the order to reload: nothing was done"
              .formatted(machine));
    }
    String json = standing.answer();
    if (standing.state() != State.DONE || json == null) {
      return Optional.empty();
    }
    return Optional.of(
        ReloadAnswer.parse(json)
            .orElseThrow(
                () ->
                    new CommandFailure(
                        ExitCode.FAULTS,
                        "machine %s gave an answer to order %d that this version does not understand; its log says what it did"
                            .formatted(machine, order))));
  }

  /** As the system says it, and who became that user. */
  private static String osUser() {
    String user = System.getProperty("user.name", "unknown");
    String before = System.getenv("SUDO_USER");
    return before == null || before.isBlank() ? user : user + ", by sudo of " + before;
  }
}
