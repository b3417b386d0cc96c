package dev.recorder.postgres;

import org.jspecify.annotations.Nullable;

/** Supplies the password of each login. Thread-safe. */
@FunctionalInterface
public interface Passwords {
  /**
   * The password now; null for the driver's own ({@code ~/.pgpass}).
   *
   * @throws DatabaseException if it cannot be had
   */
  @Nullable String current();

  /** What an operator can do if the server refuses it; null if the server's words say enough. */
  default @Nullable String remedy() {
    return null;
  }
}
