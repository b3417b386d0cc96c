package dev.recorder.app.cli;

import dev.recorder.lock.LockException;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.reader.LogReadException;
import dev.recorder.replay.ReplayException;
import dev.recorder.store.ObjectStore;

/** The exit codes that scripts rely on, after sysexits.h, and those of a shell for a command. */
final class ExitCode {
  static final int OK = 0;
  static final int FAULTS = 1;
  static final int USAGE = 2;
  static final int UNREACHABLE = 69;
  static final int FAILED = 70;
  static final int REFUSED = 73;
  static final int RELEASE_UNKNOWN = 74;
  static final int TRY_LATER = 75;
  static final int LOST = 76;
  static final int RIGHTS = 77;
  static final int CONFIGURATION = 78;
  static final int NOT_EXECUTABLE = 126;
  static final int NOT_FOUND = 127;

  private ExitCode() {}

  static int of(DatabaseException e) {
    return switch (e.kind()) {
      case UNREACHABLE, FAILED -> UNREACHABLE;
      case BUSY -> TRY_LATER;
      case RIGHTS -> RIGHTS;
      case UNUSABLE -> CONFIGURATION;
    };
  }

  /** Of what a store refuses. */
  static int of(ObjectStore.RefusalCause cause) {
    return switch (cause) {
      case RIGHTS -> RIGHTS;
      case SETTING, TOO_LARGE -> CONFIGURATION;
      case ARCHIVED, OTHER -> FAULTS;
    };
  }

  static int of(LogReadException e) {
    return switch (e.kind()) {
      case UNREACHABLE -> UNREACHABLE;
      case RIGHTS -> RIGHTS;
      case NO_SUCH_ROW -> USAGE;
      case MISSING, DAMAGED, FOREIGN, INTERRUPTED -> FAULTS;
    };
  }

  static int of(ReplayException e) {
    return switch (e.kind()) {
      case BUSY -> TRY_LATER;
      case OTHERS, SETTING -> CONFIGURATION;
      case RIGHTS -> RIGHTS;
    };
  }

  static int of(LockException e) {
    return switch (e.kind()) {
      case UNREACHABLE, FAILED -> UNREACHABLE;
      case RIGHTS -> RIGHTS;
      case UNUSABLE -> CONFIGURATION;
      case LOST -> TRY_LATER;
    };
  }
}
