package dev.recorder.app.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/** What a server's processes take of a core, by the kernel's count: Linux only. */
final class ServerLoad {
  /** The kernel's clock ticks per second, as it shows them to programs everywhere. */
  private static final double TICKS = 100;

  private final long pid;
  private long ticksBefore;
  private long begunAt;

  ServerLoad(long pid) {
    this.pid = pid;
  }

  /** Of the main process and all below it, also of those that end meanwhile. */
  double percentOver(Duration time) throws IOException, InterruptedException {
    begin();
    Thread.sleep(time.toMillis());
    return percent();
  }

  /** Counts from now on. */
  void begin() throws IOException {
    ticksBefore = ticks();
    begunAt = System.nanoTime();
  }

  /** The same since then. */
  double percent() throws IOException {
    double seconds = (System.nanoTime() - begunAt) / 1e9;
    return 100 * (ticks() - ticksBefore) / TICKS / seconds;
  }

  private long ticks() throws IOException {
    long ticks = own(pid) + ofEnded(pid);
    for (ProcessHandle child : ProcessHandle.of(pid).orElseThrow().descendants().toList()) {
      ticks += own(child.pid());
    }
    return ticks;
  }

  /** utime and stime. */
  private static long own(long pid) throws IOException {
    return sum(pid, 14);
  }

  /** cutime and cstime. */
  private static long ofEnded(long pid) throws IOException {
    return sum(pid, 16);
  }

  /** Two fields that follow each other, counted from one as in proc(5). */
  private static long sum(long pid, int field) throws IOException {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The second field is a name in parentheses, which may hold blanks.
      String[] behindName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return Long.parseLong(behindName[field - 3]) + Long.parseLong(behindName[field - 2]);
    } catch (NoSuchFileException ended) {
      return 0;
    }
  }
}
