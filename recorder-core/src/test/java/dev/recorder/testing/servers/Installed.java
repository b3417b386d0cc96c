package dev.recorder.testing.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Programs that are installed on this machine. {@code .ci/run} installs some while the build
 * compiles: until the file that it names in {@link #BEING_INSTALLED} is gone, whoever asks for one
 * waits. Thread-safe.
 */
public final class Installed {
  private static final String BEING_INSTALLED = "RECORDER_BEING_INSTALLED";
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private Installed() {}

  public static boolean isExecutable(Path program) {
    awaitAll();
    return Files.isExecutable(program);
  }

  /** Whether there is a program of this name in a folder of {@code PATH}. */
  public static boolean onPath(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(folder -> isExecutable(Path.of(folder, name)));
  }

  /** Waits until what is being installed is there, or is not to be had. */
  static void awaitAll() {
    Optional.ofNullable(System.getenv(BEING_INSTALLED))
        .map(Path::of)
        .ifPresent(file -> awaitEnd(file, LONGEST));
  }

  static void awaitEnd(Path file, Duration longest) {
    long end = System.nanoTime() + longest.toNanos();
    while (Files.exists(file) && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
