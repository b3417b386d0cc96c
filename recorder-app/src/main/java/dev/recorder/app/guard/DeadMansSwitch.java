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
 * By which the guard of a command tells that this process does not look after its lock any more,
 * although it is there: it was stopped, or is swapped out. A file, in which stands until when the
 * command may run, and when this process last said so; {@code guard.sh} kills the command when the
 * one is over and the other half a second old. So a process that is awake ends its command itself,
 * and in its own way.
 *
 * <p>Moments are hundredths of a second since the kernel began, in {@code /proc/uptime}, which both
 * read: nobody sets that clock, and it goes on while the host sleeps. Where there is none, nothing
 * is promised.
 */
final class DeadMansSwitch implements AutoCloseable {
  private static final Path UPTIME = Path.of("/proc/uptime");
  private static final String NEVER = "0 0 0";

  /** Of one length, so that what is read while it is written has no end of an older line. */
  private static final int LENGTH = 72;

  /** To wake up and to kill takes a moment, on a busy host more. */
  private static final Duration KILLING = Duration.ofMillis(300);

  private final RandomAccessFile file;

  private DeadMansSwitch(RandomAccessFile file) {
    this.file = file;
  }

  /** One under which a command may run forever. */
  static DeadMansSwitch make(Path path) throws IOException {
    DeadMansSwitch made = new DeadMansSwitch(new RandomAccessFile(path.toFile(), "rw"));
    made.write(NEVER);
    return made;
  }

  /**
   * The command may run for this long.
   *
   * @param left asked after the clock was read, so that a pause in between makes it end sooner
   */
  void press(Supplier<Duration> left) {
    OptionalLong now = uptime();
    if (now.isEmpty()) {
      return;
    }
    long seen = now.getAsLong();
    long end = seen + left.get().minus(KILLING).toMillis() / 10;
    try {
      // The checksum shows a reader that both were written together.
      write(end + " " + seen + " " + (end + seen));
    } catch (IOException full) {
      // Then the command ends too early rather than too late.
    }
  }

  /** Whether the guard has killed the command for it. */
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
