package dev.recorder.app.guard;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Ties a command to this process, so that the command cannot outlive it. A guard is created before
 * the lock is taken. It is a FIFO that this process keeps open. The shell {@code guard.sh} beside
 * the command waits for the end of the FIFO, which the kernel causes however this process ends. A
 * {@link ProcessHeartbeatFile} covers a process that is alive and suspended. The command inherits
 * standard input.
 */
public final class Guard implements AutoCloseable {
  private static final String SETSID = "setsid";
  private static final List<String> TOOLS = List.of("sh", SETSID, "mkfifo");
  private static final long PATIENCE_SECONDS = 10;

  private final Path folder;
  private final Path watch;
  private final Path pulse;
  private final RandomAccessFile end;
  private final ProcessHeartbeatFile deadMan;
  private boolean vouchedFor;

  private Guard(
      Path folder, Path watch, Path pulse, RandomAccessFile end, ProcessHeartbeatFile deadMan) {
    this.folder = folder;
    this.watch = watch;
    this.pulse = pulse;
    this.end = end;
    this.deadMan = deadMan;
  }

  /**
   * Creates a guard.
   *
   * @throws GuardFailedException if the host lacks a tool or space
   */
  public static Guard ready() throws GuardFailedException {
    String folders = String.valueOf(System.getenv("PATH"));
    for (String tool : TOOLS) {
      if (Program.look(tool, folders) != Program.FOUND) {
        throw new GuardFailedException(
            "there is no %s on the PATH, without which a command could outlive its lock; install %s"
                .formatted(
                    tool, tool.equals(SETSID) ? "util-linux" : "coreutils and a POSIX shell"));
      }
    }
    try {
      Path folder = Files.createTempDirectory("recorder-lock-");
      Path watch = folder.resolve("watch");
      makeFifo(watch);
      Path pulse = folder.resolve("pulse");
      ProcessHeartbeatFile deadMan = ProcessHeartbeatFile.make(pulse);
      // Opened for reading and writing: opening a FIFO only for writing waits for a reader.
      RandomAccessFile end = new RandomAccessFile(watch.toFile(), "rw");
      return new Guard(folder, watch, pulse, end, deadMan);
    } catch (IOException e) {
      throw new GuardFailedException(
          "cannot make a FIFO in %s, without which a command could outlive its lock"
              .formatted(System.getProperty("java.io.tmpdir")),
          e);
    }
  }

  private static void makeFifo(Path path) throws IOException {
    Process made =
        new ProcessBuilder("mkfifo", "-m", "600", path.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    boolean ended =
        made.onExit().completeOnTimeout(made, PATIENCE_SECONDS, TimeUnit.SECONDS).join().isAlive();
    if (ended || made.exitValue() != 0) {
      throw new IOException(said.strip());
    }
  }

  /**
   * Allows the command to run for this long, even if this process is suspended. Without any call
   * the command may run without a limit.
   *
   * @param left the time; called once, by the calling thread
   */
  public void vouchFor(Supplier<Duration> left) {
    vouchedFor = true;
    deadMan.press(left);
  }

  /** Whether {@link #vouchFor} was called, so that the command ends unless it is called again. */
  public boolean isVouchedFor() {
    return vouchedFor;
  }

  /**
   * Starts the command, once, with this process's standard input, output and error. The calling
   * thread must also wait for the command: when this thread ends, the kernel kills the command.
   *
   * @param variables added to this process's environment
   */
  public GuardedCommand start(List<String> command, Map<String, String> variables)
      throws GuardFailedException {
    List<String> line = new ArrayList<>(List.of(SETSID, "sh", "-c", script()));
    line.addAll(List.of("recorder-guard", watch.toString()));
    line.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
    builder.environment().putAll(variables);
    try {
      return new GuardedCommand(builder.start(), watch, end, deadMan);
    } catch (IOException e) {
      throw new GuardFailedException("the command cannot be started", e);
    }
  }

  /** Returns the script without comments, since the whole script is on a command line. */
  private static String script() {
    try (InputStream script = Guard.class.getResourceAsStream("guard.sh")) {
      if (script == null) {
        throw new IOException("guard.sh is missing");
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.strip().startsWith("#"))
          .collect(Collectors.joining("\n"));
    } catch (IOException defect) {
      throw new IllegalStateException(defect);
    }
  }

  /** Kills the processes that the command has left. */
  @Override
  public void close() {
    try {
      end.close();
      deadMan.close();
      Files.deleteIfExists(watch);
      Files.deleteIfExists(pulse);
      Files.deleteIfExists(folder);
    } catch (IOException leftBehind) {
      // At most an empty temporary folder is left.
    }
  }
}
