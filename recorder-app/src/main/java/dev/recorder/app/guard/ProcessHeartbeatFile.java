package dev.recorder.app.guard;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Tells the guard of a command whether this process still watches its lock, or is stopped or
 * swapped out. The file has the time until which the command may run, and the time when this
 * process last wrote the file. {@code guard.sh} kills the command once the first time has passed
 * and the second is half a second old. A process that is awake therefore has time to end its
 * command itself, gracefully.
 *
 * <p>Times are hundredths of a second since the kernel's start, from {@code /proc/uptime}, which
 * both sides read. That clock is never set, and advances while the host sleeps. On a platform
 * without it there is no such protection.
 */
final class ProcessHeartbeatFile implements AutoCloseable {
  private static final Path UPTIME = Path.of("/proc/uptime");
  private static final String NEVER = "0 0 0";

  /**
   * The constant length of the line, so that a read during a write never sees the end of an older
   * line.
   */
  private static final int LENGTH = 72;

  /** Time to wake up and to kill. On a busy host it takes longer. */
  private static final Duration KILLING = Duration.ofMillis(300);

  private final RandomAccessFile file;

  private ProcessHeartbeatFile(RandomAccessFile file) {
    this.file = file;
  }

  /** Creates a file with which the command may run without a limit. */
  static ProcessHeartbeatFile make(Path path) throws IOException {
    ProcessHeartbeatFile made = new ProcessHeartbeatFile(new RandomAccessFile(path.toFile(), "rw"));
    made.write(NEVER);
    return made;
  }

  /**
   * Lets the command run for this long.
   *
   * @param left the time; called after the clock was read, so that a pause in between ends the
   *     command sooner
   */
  void press(Supplier<Duration> left) {
    OptionalLong now = uptime();
    if (now.isEmpty()) {
      return;
    }
    long seen = now.getAsLong();
    long end = seen + left.get().minus(KILLING).toMillis() / 10;
    try {
      // The checksum shows the reader that both numbers were written together.
      write(end + " " + seen + " " + (end + seen));
    } catch (IOException full) {
      // The command then ends too early, rather than too late.
    }
  }

  /** Whether the guard has killed the command because of this file. */
  boolean hasActed() {
    try {
      return file.length() > LENGTH;
    } catch (IOException gone) {
      return false;
    }
  }

  private void write(String line) throws IOException {
    String padded = line + " ".repeat(LENGTH - 1 - line.length()) + "\n";
    file.seek(0);
    file.write(padded.getBytes(StandardCharsets.US_ASCII));
  }

  private static OptionalLong uptime() {
    try {
      String[] words = Files.readString(UPTIME).split("[. ]", 3);
      return OptionalLong.of(Long.parseLong(words[0] + words[1]));
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException elsewhere) {
      return OptionalLong.empty();
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
