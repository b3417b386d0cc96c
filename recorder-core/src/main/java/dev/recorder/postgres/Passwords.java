package dev.recorder.postgres;

import org.jspecify.annotations.Nullable;

/** Supplies the password of each login. Thread-safe. */
@FunctionalInterface
public interface Passwords {
  /**
   * Returns the present password; null for the driver's own ({@code ~/.pgpass}).
   *
   * @throws DatabaseException if it cannot be read
   */
  @Nullable String current();

  /**
   * Returns the remedy if the server refuses the password; null if the server's message is enough.
   */
  default @Nullable String remedy() {
    return null;
  }
}
