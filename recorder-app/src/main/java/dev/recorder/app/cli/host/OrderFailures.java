package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;

/**
 * Failures of orders that the database did not accept, or of which it is unknown whether it did.
 */
final class OrderFailures {
  private OrderFailures() {}

  /** Gives an order, or tests whether its progress can be read. */
  @FunctionalInterface
  interface Giving<T> {
    T give() throws CommandFailure;
  }

  /**
   * Gives an order. If a statement fails and the session survives, the order was not given: a lock
   * was in the way, or a right is missing.
   *
   * @param nothing the beginning of the message, such as {@code nothing was asked of host host-a}
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
   * Returns the failure for a database that was lost or did not answer, when the order was given or
   * may have been given.
   *
   * @param order the order's aim, such as {@code to host host-a}
   * @param then the further fate of the order, or the place to look it up
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
