package dev.recorder.app.cli.lock;

import java.util.Locale;

/** The kinds of locks that commands know. */
enum LockKind {
  ADVISORY,
  MUTEX,
  TIMEOUT,
  REDIS;

  /** Whether it is a row of a table. */
  boolean isRow() {
    return this == MUTEX || this == TIMEOUT;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
