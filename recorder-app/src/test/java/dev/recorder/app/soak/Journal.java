package dev.recorder.app.soak;

import dev.recorder.app.harness.Host;
import dev.recorder.testing.AtExit;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Says on standard error what happens, and keeps it in a folder with the hosts' logs, which stays
 * only if something was found. Thread-safe.
 */
public final class Journal implements AutoCloseable {
  private static final int MOST_FINDINGS = 100;

  private final long start = System.nanoTime();
  private final Path folder;
  private final PrintWriter out;
  private final List<String> findings = new ArrayList<>();
  private final List<PrintWriter> logs = new ArrayList<>();
  private long found;

  /**
   * @param run names the folder
   */
  public Journal(String run, long seed) {
    try {
      folder = Files.createTempDirectory(run + "-" + seed + "-");
      out = new PrintWriter(Files.newBufferedWriter(folder.resolve(run + ".log")), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    AtExit.register(this);
  }

  public void say(String format, Object... arguments) {
    double seconds = (System.nanoTime() - start) / 1e9;
    String line =
        String.format(Locale.ROOT, "%7.1f s  ", seconds)
            + String.format(Locale.ROOT, format, arguments);
    System.err.println(line);
    out.println(line);
  }

  /** Says what makes the soak fail; only the first ones are kept. */
  public void blame(String format, Object... arguments) {
    if (AtExit.isEnding()) {
      return;
    }
    synchronized (this) {
      found++;
      if (findings.size() >= MOST_FINDINGS) {
        return;
      }
      findings.add(String.format(Locale.ROOT, format, arguments));
    }
    say("FAULT " + format, arguments);
  }

  /** Whether nothing was blamed. */
  synchronized boolean isClean() {
    return found == 0;
  }

  /** Writes a host's log into the folder too, as it comes. */
  synchronized void follow(Host host) {
    try {
      PrintWriter log =
          new PrintWriter(Files.newBufferedWriter(folder.resolve(host.name() + ".log")), true);
      logs.add(log);
      host.onLog(log::println);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a file to the folder. */
  void keep(String file, String text) {
    try {
      Files.writeString(folder.resolve(file), text);
    } catch (IOException e) {
      say("could not write %s: %s", file, e);
    }
  }

  /** Removes the folder after a success; else it stays, and people are told where it is. */
  public void end(boolean ok) {
    if (ok) {
      close();
    } else {
      AtExit.forget(this);
      closeFiles();
      System.err.println("logs, and what was found: " + folder);
    }
  }

  /** Removes the folder. */
  @Override
  public void close() {
    AtExit.forget(this);
    closeFiles();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("could not remove " + folder + ": " + e);
    }
  }

  private synchronized void closeFiles() {
    out.close();
    logs.forEach(PrintWriter::close);
  }

  @Override
  public String toString() {
    return "the logs in " + folder;
  }
}
