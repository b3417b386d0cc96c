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
 * Tells the guard of a command whether this process still watches its lock, although it may be
 * stopped or swapped out. A file has the time until which the command may run, and the time when
 * this process last wrote it. {@code guard.sh} kills the command when the first has passed and the
 * second is half a second old. So a process that is awake ends its command itself, gracefully.
 *
 * <p>Times are hundredths of a second since the kernel's start, from {@code /proc/uptime}, which
 * both sides read: that clock is never set, and advances while the host sleeps. Without it nothing
 * is promised.
 */
final class ProcessHeartbeatFile implements AutoCloseable {
  private static final Path UPTIME = Path.of("/proc/uptime");
  private static final String NEVER = "0 0 0";

  /** Constant, so that a read during a write never sees the end of an older line. */
  private static final int LENGTH = 72;

  /** Time to wake up and to kill; more on a busy host. */
  private static final Duration KILLING = Duration.ofMillis(300);

  private final RandomAccessFile file;

  private ProcessHeartbeatFile(RandomAccessFile file) {
    this.file = file;
  }

  /** Makes a switch with which the command may run forever. */
  static ProcessHeartbeatFile make(Path path) throws IOException {
    ProcessHeartbeatFile made = new ProcessHeartbeatFile(new RandomAccessFile(path.toFile(), "rw"));
    made.write(NEVER);
    return made;
  }

  /**
   * Lets the command run for this long.
   *
   * @param left called after the clock was read, so that a pause in between ends the command sooner
   */
  void press(Supplier<Duration> left) {
    OptionalLong now = uptime();
    if (now.isEmpty()) {
      return;
    }
    long seen = now.getAsLong();
    long end = seen + left.get().minus(KILLING).toMillis() / 10;
    try {
      // The checksum proves to the reader that both were written together.
      write(end + " " + seen + " " + (end + seen));
    } catch (IOException full) {
      // Then the command ends too early rather than too late.
    }
  }

  /** Whether the guard has killed the command because of this switch. */
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
