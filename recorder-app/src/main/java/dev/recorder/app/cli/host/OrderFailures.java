package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;

/** Messages on orders that the database did not accept, or may have accepted. */
final class OrderFailures {
  private OrderFailures() {}

  /** Gives an order, or looks whether it can be followed. */
  @FunctionalInterface
  interface Giving<T> {
    T give() throws CommandFailure;
  }

  /**
   * Gives an order. If a statement fails and the session survives, nothing was done: a lock was in
   * the way, or a right is missing.
   *
   * @param nothing the beginning of the message, such as {@code nothing was asked of machine
   *     host-a}
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
   * The database was lost, or did not answer, when an order was given or may have been.
   *
   * @param order such as {@code to machine host-a}
   * @param then what becomes of the order, or where to find out
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
