package dev.recorder.app.cli.lock;

import java.util.Locale;

enum LockKind {
  ADVISORY,
  MUTEX,
  TIMEOUT,
  REDIS;

  /** Whether the lock is a row of a table. */
  boolean isRow() {
    return this == MUTEX || this == TIMEOUT;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
