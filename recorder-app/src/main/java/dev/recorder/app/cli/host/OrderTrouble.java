package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;

/** What is said of orders that the database did not take, or may have taken. */
final class OrderTrouble {
  private OrderTrouble() {}

  /** Gives an order, or looks whether it can be followed. */
  @FunctionalInterface
  interface Giving<T> {
    T give() throws CommandFailure;
  }

  /**
   * Gives an order. A statement that fails on a session that goes on has done nothing, such as one
   * that somebody else is in the way of, or for which a right is missing.
   *
   * @param nothing what is said then, as in {@code nothing was asked of machine host-a}
   */
  static <T> T given(String nothing, Giving<T> order) throws CommandFailure {
    try {
      return order.give();
    } catch (DatabaseException e) {
      if (!e.sessionSurvives()) {
        throw e;
      }
      throw new CommandFailure(ExitCode.of(e), nothing + ": " + e.getMessage());
    }
  }

  /**
   * If the database is lost, or does not tell, when an order was given, or may have been.
   *
   * @param order as in {@code to machine host-a}
   * @param then what becomes of it, or who knows
   */
  static CommandFailure lost(String order, DatabaseException e, String then) {
    return new CommandFailure(
        ExitCode.of(e),
        "what became of the order %s is not known, as the database %s: %s; %s"
            .formatted(order, trouble(e), e.getMessage(), then));
  }

  private static String trouble(DatabaseException e) {
    if (!e.sessionSurvives()) {
      return "is lost";
    }
    return e.kind() == DatabaseErrorKind.BUSY ? "is busy" : "does not tell";
  }
}
