package dev.recorder.app.cli;

import dev.recorder.app.daemon.ReloadAnswer;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.OrderDesk;
import dev.recorder.operate.OrderHead;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;

/**
 * Orders the process of a host to reload, through the database, and waits for its answer. An order
 * that nobody takes in its time is withdrawn.
 */
final class OrderedReload {
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
    String json =
        new AwaitedOrder(database, machine, new AwaitedReload(dryRun), ticker, patience).carryOut();
    return ReloadAnswer.parse(json)
        .orElseThrow(() -> AwaitedOrder.notUnderstood(machine, "to reload"));
  }

  /** What is said if the database is lost when it was asked, or may have been. */
  static CommandFailure lost(String machine, DatabaseException e) {
    return AwaitedOrder.lost(machine, e);
  }

  private final class AwaitedReload implements AwaitedOrder.Desk {
    private final boolean dryRun;

    AwaitedReload(boolean dryRun) {
      this.dryRun = dryRun;
    }

    @Override
    public String what() {
      return "to reload";
    }

    @Override
    public String atStart() {
      return "reads the file when it starts";
    }

    @Override
    public OrderDesk<?> orders() {
      return database.reloads();
    }

    @Override
    public Optional<Long> ask() {
      OrderHead head = new OrderHead(machine, patience, OsUser.stated());
      return database.reloads().order(head, dryRun, file);
    }

    /** Those that are under way take no longer than a file is read. */
    @Override
    public Optional<String> underWay() {
      return Optional.empty();
    }
  }
}
