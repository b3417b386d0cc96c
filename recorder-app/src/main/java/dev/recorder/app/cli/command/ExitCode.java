package dev.recorder.app.cli.command;

import dev.recorder.lock.LockException;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.reader.LogReadException;
import dev.recorder.replay.ReplayException;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;

/**
 * The exit codes. Most are those of sysexits.h. For a command under a lock, there are also those of
 * a shell.
 */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAULTS = 1;
  public static final int USAGE = 2;
  public static final int UNREACHABLE = 69;
  public static final int FAILED = 70;
  public static final int REFUSED = 73;
  public static final int RELEASE_UNKNOWN = 74;
  public static final int TRY_LATER = 75;
  public static final int LOST = 76;
  public static final int RIGHTS = 77;
  public static final int CONFIGURATION = 78;
  public static final int NOT_EXECUTABLE = 126;
  public static final int NOT_FOUND = 127;

  private ExitCode() {}

  public static int of(DatabaseException e) {
    return switch (e.kind()) {
      case UNREACHABLE, FAILED -> UNREACHABLE;
      case BUSY -> TRY_LATER;
      case RIGHTS -> RIGHTS;
      case UNUSABLE -> CONFIGURATION;
    };
  }

  public static int of(ObjectStore.RefusalCause cause) {
    return switch (cause) {
      case RIGHTS -> RIGHTS;
      case SETTING, TOO_LARGE -> CONFIGURATION;
      case ARCHIVED, OTHER -> FAULTS;
    };
  }

  public static int of(LogReadException e) {
    return switch (e.kind()) {
      case UNREACHABLE -> UNREACHABLE;
      case RIGHTS -> RIGHTS;
      case NO_SUCH_ROW -> USAGE;
      case MISSING, DAMAGED, FOREIGN, INTERRUPTED -> FAULTS;
    };
  }

  public static int of(UnreadableSlotException e) {
    if (e.lacksRights()) {
      return RIGHTS;
    }
    return e.isUnreachable() ? UNREACHABLE : FAULTS;
  }

  public static int of(ReplayException e) {
    return switch (e.kind()) {
      case BUSY -> TRY_LATER;
      case OTHERS, SETTING -> CONFIGURATION;
      case RIGHTS -> RIGHTS;
    };
  }

  public static int of(LockException e) {
    return switch (e.kind()) {
      case UNREACHABLE, FAILED -> UNREACHABLE;
      case RIGHTS -> RIGHTS;
      case UNUSABLE -> CONFIGURATION;
      case LOST -> TRY_LATER;
    };
  }
}
