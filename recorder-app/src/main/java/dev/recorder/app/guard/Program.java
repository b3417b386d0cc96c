package dev.recorder.app.guard;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Looks for programs as a shell does, so that a mistake is found before a lock is taken. */
public enum Program {
  FOUND,
  /** The program exists, but this user cannot execute it, or it is a folder. */
  NOT_EXECUTABLE,
  NOT_FOUND;

  /**
   * Looks for a program. A name with a slash is a path; another name is looked up in the folders.
   */
  public static Program look(String name, String folders) {
    try {
      List<Path> candidates =
          name.contains("/")
              ? List.of(Path.of(name))
              : Arrays.stream(folders.split(":", -1))
                  .map(folder -> Path.of(folder).resolve(name))
                  .toList();
      return name.isEmpty() ? NOT_FOUND : among(candidates);
    } catch (InvalidPathException impossible) {
      return NOT_FOUND;
    }
  }

  private static Program among(List<Path> candidates) {
    if (candidates.stream().anyMatch(Program::canRun)) {
      return FOUND;
    }
    return candidates.stream().anyMatch(Files::exists) ? NOT_EXECUTABLE : NOT_FOUND;
  }

  private static boolean canRun(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
