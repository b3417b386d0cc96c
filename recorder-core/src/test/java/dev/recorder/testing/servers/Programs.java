package dev.recorder.testing.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Installed programs that run for a test, each with its output in a file of a folder. {@link
 * #close} kills every one that still runs, also one that was only to run for a moment. Thread-safe.
 */
public final class Programs implements AutoCloseable {
  private static final long TO_ITS_END_SECONDS = 60;

  private final Path folder;
  private final List<Process> started = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  Programs(Path folder) {
    this.folder = folder;
  }

  /** Which of {@code names} cannot be run here. */
  public static List<String> missing(List<String> names) {
    return names.stream().filter(name -> !Installed.onPath(name)).toList();
  }

  /** Runs a program to its end, which must be a good one. */
  void run(String... command) {
    Process process = start(command);
    try {
      if (!process.waitFor(TO_ITS_END_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(String.join(" ", command) + " does not end");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException(
          String.join(" ", command)
              + " ended with "
              + process.exitValue()
              + ": "
              + output(command[0]));
    }
  }

  /** Starts a program that runs until {@link #close}. */
  synchronized Process start(String... command) {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(file(command[0]).toFile()))
              .start();
      started.add(process);
      return process;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** What a program has printed. */
  String output(String program) {
    try {
      return Files.readString(file(program)).strip();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  List<Long> pids() {
    return started.stream().filter(Process::isAlive).map(Process::pid).toList();
  }

  private Path file(String program) {
    return folder.resolve(program + ".out");
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    started.forEach(Process::destroyForcibly);
    for (Process process : started) {
      awaitEnd(process);
    }
  }

  private static void awaitEnd(Process process) {
    boolean interrupted = false;
    while (process.isAlive()) {
      try {
        process.waitFor();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
