package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.lock.LockException;
import dev.recorder.postgres.DatabaseException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Locks of several kinds, of which some may be out of reach. */
final class LockSurvey {
  private final List<LockLine> lines = new ArrayList<>();
  private final List<String> unseen = new ArrayList<>();
  private int exitCode = ExitCode.OK;
  private boolean seen;

  /** Where some locks can be looked at. */
  @FunctionalInterface
  interface KindLook {
    Stream<LockLine> lines();
  }

  /** Adds what is seen, or why nothing is. */
  void add(String kinds, KindLook look) {
    try {
      lines.addAll(look.lines().toList());
      seen = true;
    } catch (LockException e) {
      miss(kinds, e.problem(), ExitCode.of(e));
    } catch (DatabaseException e) {
      miss(kinds, String.valueOf(e.getMessage()), ExitCode.of(e));
    }
  }

  void miss(String kinds, String why, int code) {
    unseen.add("recorder: locks of kind " + kinds + " are not shown: " + why);
    exitCode = exitCode == ExitCode.OK ? code : exitCode;
  }

  /** Whether there is a list, perhaps an empty one. */
  boolean hasSeen() {
    return seen;
  }

  List<LockLine> lines() {
    return List.copyOf(lines);
  }

  /** One line for each part that is missing. */
  List<String> unseen() {
    return List.copyOf(unseen);
  }

  /** That of the first part that is missing. */
  int exitCode() {
    return exitCode;
  }
}
