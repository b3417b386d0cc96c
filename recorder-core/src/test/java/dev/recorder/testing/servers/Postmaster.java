package dev.recorder.testing.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The main process of a PostgreSQL server, found by its data folder. */
public final class Postmaster {
  private static final int LINE_OF_PID = 0;
  private static final int LINE_OF_SHARED_MEMORY = 6;

  private final ProcessHandle process;
  private final Path pidFile;
  private final Optional<String> sharedMemoryId;

  private Postmaster(ProcessHandle process, Path pidFile, Optional<String> sharedMemoryId) {
    this.process = process;
    this.pidFile = pidFile;
    this.sharedMemoryId = sharedMemoryId;
  }

  /** The process that {@code postmaster.pid} names, if it runs on this very folder. */
  public static Optional<Postmaster> in(Path dataFolder) {
    Path pidFile = dataFolder.resolve("postmaster.pid");
    try {
      List<String> lines = Files.readAllLines(pidFile);
      Optional<String> sharedMemory =
          lines.size() > LINE_OF_SHARED_MEMORY
              ? Optional.of(lines.get(LINE_OF_SHARED_MEMORY).trim().split("\\s+")[1])
              : Optional.empty();
      return ProcessHandle.of(Long.parseLong(lines.get(LINE_OF_PID).trim()))
          .filter(process -> runsOn(process, dataFolder))
          .map(process -> new Postmaster(process, pidFile, sharedMemory));
    } catch (IOException | RuntimeException unreadable) {
      return Optional.empty();
    }
  }

  long pid() {
    return process.pid();
  }

  /** To the main process first, so that it starts no more children, and to all that it has. */
  public void signal(String name) {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name, Long.toString(pid())));
    run(command);
    command.remove(command.size() - 1);
    process.descendants().forEach(child -> command.add(Long.toString(child.pid())));
    run(command);
  }

  private static void run(List<String> command) {
    try {
      // A child that has ended meanwhile is none that could have been told.
      new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** SIGKILL, as a crash of the host would: children that have not noticed yet are killed too. */
  public void kill() throws IOException {
    List<ProcessHandle> family =
        Stream.concat(Stream.of(process), process.descendants()).collect(Collectors.toList());
    family.forEach(ProcessHandle::destroyForcibly);
    family.forEach(Postmaster::awaitEnd);
    // What outlives the processes: a segment of shared memory, which only a restart on this folder
    // would remove, and this file, which bars a restart while nobody has asked for their status.
    sharedMemoryId.ifPresent(Postmaster::removeSharedMemory);
    Files.deleteIfExists(pidFile);
  }

  /** Polls: {@link ProcessHandle#onExit} looks at other than own children only once a second. */
  private static void awaitEnd(ProcessHandle process) {
    try {
      for (int i = 0; i < 2_000 && runs(process); i++) {
        Thread.sleep(5);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A process that has ended, but whose parent has not asked for its status yet, is dead too. */
  private static boolean runs(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      char state = stat.charAt(stat.lastIndexOf(')') + 2);
      return state != 'Z' && state != 'X';
    } catch (IOException gone) {
      return process.isAlive();
    }
  }

  private static boolean runsOn(ProcessHandle process, Path dataFolder) {
    return process.info().commandLine().orElse("").contains(dataFolder.toString());
  }

  private static void removeSharedMemory(String id) {
    try {
      new ProcessBuilder("ipcrm", "-m", id)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor(5, TimeUnit.SECONDS);
    } catch (IOException noSuchProgram) {
      // A few bytes stay until the host restarts.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
