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
 * What ties a command to this process, made before there is a reason to run the command: a FIFO
 * that this process has open for as long as it lives. Its end, which the kernel brings about
 * whatever ended this process, is what the shell beside the command waits for; see {@code
 * guard.sh}. Beside it a {@link DeadMansSwitch}, for a process that is there and does nothing.
 * Standard input is the command's own.
 */
public final class Guard implements AutoCloseable {
  private static final String SETSID = "setsid";
  private static final List<String> TOOLS = List.of("sh", SETSID, "mkfifo");
  private static final long PATIENCE_SECONDS = 10;

  private final Path folder;
  private final Path watch;
  private final Path pulse;
  private final RandomAccessFile end;
  private final DeadMansSwitch deadMan;
  private boolean vouchedFor;

  private Guard(Path folder, Path watch, Path pulse, RandomAccessFile end, DeadMansSwitch deadMan) {
    this.folder = folder;
    this.watch = watch;
    this.pulse = pulse;
    this.end = end;
    this.deadMan = deadMan;
  }

  /**
   * Makes one.
   *
   * @throws UnguardedException if this host lacks a tool for it, or there is no room
   */
  public static Guard ready() throws UnguardedException {
    String folders = String.valueOf(System.getenv("PATH"));
    for (String tool : TOOLS) {
      if (Program.look(tool, folders) != Program.FOUND) {
        throw new UnguardedException(
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
      DeadMansSwitch deadMan = DeadMansSwitch.make(pulse);
      // In both directions: to open a FIFO for writing waits for a reader.
      RandomAccessFile end = new RandomAccessFile(watch.toFile(), "rw");
      return new Guard(folder, watch, pulse, end, deadMan);
    } catch (IOException e) {
      throw new UnguardedException(
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
   * Allows the command to run for this long from now on, whatever happens to this process short of
   * its end. Without this it may run forever.
   *
   * @param left asked once, by the calling thread
   */
  public void vouchFor(Supplier<Duration> left) {
    vouchedFor = true;
    deadMan.press(left);
  }

  /** Whether the command ends unless somebody vouches for it. */
  public boolean isVouchedFor() {
    return vouchedFor;
  }

  /**
   * Starts the command, once, with this process's standard input, output and error. To be called by
   * the thread that then waits for it: the kernel kills it when that thread ends.
   *
   * @param variables of its environment, beside those of this process
   */
  public GuardedCommand start(List<String> command, Map<String, String> variables)
      throws UnguardedException {
    List<String> line = new ArrayList<>(List.of(SETSID, "sh", "-c", script()));
    line.addAll(List.of("recorder-guard", watch.toString()));
    line.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
    builder.environment().putAll(variables);
    try {
      return new GuardedCommand(builder.start(), watch, end, deadMan);
    } catch (IOException e) {
      throw new UnguardedException("the command cannot be started", e);
    }
  }

  /** Without its comments: all of it is on the command line of the process that watches. */
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

  /** Kills whatever is left of the command. */
  @Override
  public void close() {
    try {
      end.close();
      deadMan.close();
      Files.deleteIfExists(watch);
      Files.deleteIfExists(pulse);
      Files.deleteIfExists(folder);
    } catch (IOException leftBehind) {
      // An empty folder in the temporary folder is all there can be.
    }
  }
}
