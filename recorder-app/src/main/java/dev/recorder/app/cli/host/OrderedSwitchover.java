package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.operate.orders.SwitchoverOrder;
import dev.recorder.operate.orders.SwitchoverOrder.SwitchoverProgress;
import dev.recorder.operate.orders.Switchovers;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Orders a switchover and waits for its outcome. The switchover is done, refused or still under
 * way. A refused one has no effect, now or later. One under way continues without the command. An
 * order that the host does not take in time is withdrawn.
 */
final class OrderedSwitchover {
  private static final Duration POLL = Duration.ofMillis(50);

  /** After this many attempts, a lock on the recorder's row is not a host's. */
  private static final int WITHDRAWALS = 3;

  private final Switchovers orders;
  private final SwitchoverOrder order;
  private final Ticker ticker;
  private final BooleanSupplier interrupted;
  private boolean given;

  OrderedSwitchover(
      Switchovers orders, SwitchoverOrder order, Ticker ticker, BooleanSupplier interrupted) {
    this.orders = orders;
    this.order = order;
    this.ticker = ticker;
    this.interrupted = interrupted;
  }

  /**
   * Gives the order, and waits until the switchover is done.
   *
   * @throws CommandFailure if it is refused or under way
   */
  void carryOut() throws CommandFailure, InterruptedException {
    try {
      long id =
          OrderFailures.given("nothing was ordered for recorder " + order.recorder(), this::order);
      given = true;
      await(id);
    } catch (DatabaseException lost) {
      throw OrderFailures.lost(
          "to hand recorder %s over to %s".formatted(order.recorder(), order.to()),
          lost,
          "if no host has taken it, none will after " + withinWords());
    }
  }

  /** Whether the database has accepted the order, whatever its outcome. */
  boolean isGiven() {
    return given;
  }

  private long order() throws CommandFailure {
    return orders
        .order(order)
        .orElseThrow(
            () ->
                CommandFailure.refused(
                    "nothing was ordered: recorder %s is no longer with %s, or another switchover of it was ordered at the same time"
                        .formatted(order.recorder(), order.from())));
  }

  private void await(long id) throws CommandFailure, InterruptedException {
    long deadline = ticker.nanos() + order.within().toNanos();
    while (ticker.nanos() - deadline < 0 && !interrupted.getAsBoolean()) {
      SwitchoverProgress progress = progress(id);
      if (progress == SwitchoverProgress.DONE) {
        standNoMore(id);
        return;
      }
      failIfOver(progress);
      Pause.sleep(POLL);
    }
    boolean withdrawn = withdraw(id);
    SwitchoverProgress progress = progress(id);
    if (withdrawn && progress != SwitchoverProgress.DONE) {
      throw CommandFailure.refused(nobodyTookIt()); // Also if another host took it.
    }
    failIfOver(progress);
    if (progress != SwitchoverProgress.DONE) {
      throw CommandFailure.tryLater(
          "%s has taken the order to hand recorder %s over to %s and has not finished within %s: it is still under way; 'recorder takeovers %s' shows when it is done"
              .formatted(
                  order.from(), order.recorder(), order.to(), withinWords(), order.recorder()));
    }
  }

  private void failIfOver(SwitchoverProgress progress) throws CommandFailure {
    if (progress == SwitchoverProgress.ELSEWHERE) {
      throw CommandFailure.refused(
          "%s let go of recorder %s, and %s did not take it: another host has it now, as 'recorder takeovers %s' shows"
              .formatted(order.from(), order.recorder(), order.to(), order.recorder()));
    } else if (progress == SwitchoverProgress.WITHDRAWN) {
      throw CommandFailure.refused(nobodyTookIt());
    }
  }

  private String nobodyTookIt() {
    return interrupted.getAsBoolean()
        ? "the order to hand recorder %s over to %s is withdrawn: nothing was done, and nothing will be"
            .formatted(order.recorder(), order.to())
        : "%s did not take the order to hand recorder %s over to %s within %s, and it is withdrawn: nothing was done, and nothing will be; 'recorder status' shows how both are"
            .formatted(order.from(), order.recorder(), order.to(), withinWords());
  }

  private String withinWords() {
    return order.within().toSeconds() + " s";
  }

  /**
   * Withdraws an order that is fulfilled, since the recorder may have moved because of a fault. An
   * open order would then keep other hosts from taking the recorder.
   */
  private void standNoMore(long id) {
    try {
      orders.withdraw(id);
    } catch (DatabaseException soon) {
      // The switchover is done in any case, and the order expires.
    }
  }

  private boolean withdraw(long id) throws CommandFailure {
    String why = "";
    for (int i = 0; i < WITHDRAWALS; i++) {
      try {
        return orders.withdraw(id);
      } catch (DatabaseException e) {
        if (e.kind() != DatabaseErrorKind.BUSY) {
          throw e;
        }
        why = String.valueOf(e.getMessage());
      }
    }
    throw CommandFailure.tryLater(
        "the order to hand recorder %s over to %s could not be withdrawn, because its table is locked: %s; no host takes it after %s, by the server's clock"
            .formatted(order.recorder(), order.to(), why, withinWords()));
  }

  private SwitchoverProgress progress(long id) {
    return orders.look(id).map(order::progress).orElse(SwitchoverProgress.WITHDRAWN);
  }
}
