package dev.recorder.app.harness;

import dev.recorder.testing.ProcessSignal;
import dev.recorder.testing.network.PostgresProxy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A host that runs the recorder in a process of its own, and what can befall it. Thread-safe: a
 * shutdown hook may close it at any time.
 */
public final class Host implements AutoCloseable {
  private static final int MOST_LINES = 20_000;

  private final String name;
  private final Path ini;
  private final Path temp;
  private final Particulars particulars;
  private final Optional<PostgresProxy> proxy;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private volatile Consumer<String> listener = line -> {};
  private @Nullable Process process;
  private @Nullable Thread reader;
  private boolean closed;

  Host(String name, Path ini, Path folder, Particulars particulars, Optional<PostgresProxy> proxy) {
    this.name = name;
    this.particulars = particulars;
    this.ini = ini;
    this.temp = particulars.temp().orElse(folder);
    this.proxy = proxy;
  }

  public String name() {
    return name;
  }

  Path ini() {
    return ini;
  }

  Particulars particulars() {
    return particulars;
  }

  /** Options of its JVM. */
  List<String> jvm() {
    return particulars.jvm();
  }

  /** Passes each line of the log to {@code consumer} too, on the reading thread. */
  public Host onLog(Consumer<String> consumer) {
    listener = consumer;
    return this;
  }

  /** The latest of what all runs so far have printed. */
  public List<String> log() {
    return List.copyOf(log);
  }

  /**
   * What all runs so far have printed at WARN and ERROR, but for warnings that are right and of the
   * harness's making: each host has a way to the database of its own, and some have to give up on
   * S3 sooner than a large object would take.
   */
  public List<Alarm> alarms() {
    return Alarm.in(log()).stream()
        .filter(alarm -> !alarm.text().startsWith("section [postgredb] differs"))
        .filter(alarm -> !alarm.text().contains(": warning: an object of "))
        .toList();
  }

  /** Waits until a line of the log contains {@code text}. */
  public void awaitLog(String text, Duration deadline) throws InterruptedException {
    long start = System.nanoTime();
    while (log.stream().noneMatch(line -> line.contains(text))) {
      if (System.nanoTime() - start > deadline.toNanos()) {
        throw new AssertionError(name + " did not log '" + text + "': " + log);
      }
      Thread.sleep(20);
    }
  }

  /** Starts the recorder, again if its last run has ended. */
  public synchronized Host start() {
    if (closed || isRunning()) {
      throw new IllegalStateException(name + (closed ? " is closed" : " runs already"));
    }
    try {
      Process started =
          Product.command(
                  temp,
                  particulars.jvm(),
                  new Product.ClassPath(particulars.otherBuild(), particulars.handlers()),
                  List.of("run", "-c", ini.toString()))
              .redirectErrorStream(true)
              .start();
      process = started;
      reader = new Thread(() -> read(started), "log-of-" + name);
      reader.setDaemon(true);
      reader.start();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The number of the process. */
  public long pid() {
    return current().pid();
  }

  /** The most memory that the process has had so far. */
  public long peakMemoryKibibytes() {
    try (Stream<String> lines =
        Files.lines(Path.of("/proc", Long.toString(current().pid()), "status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public synchronized boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** SIGKILL: nothing of the process gets to run again. Returns once it is gone. */
  public void kill() {
    Process victim = current();
    victim.destroyForcibly();
    awaitExit(Duration.ofSeconds(60));
  }

  /** SIGSTOP: the process hangs, its connections stay open. */
  public void freeze() {
    ProcessSignal.send("STOP", current().pid());
  }

  /** SIGCONT: the process goes on as if no time had passed. */
  public void thaw() {
    ProcessSignal.send("CONT", current().pid());
  }

  /** Changes the configuration file; the process does not know yet. */
  public Host edit(String what, String instead) {
    try {
      String text = Files.readString(ini);
      if (!text.contains(what)) {
        throw new IllegalArgumentException("not in " + ini + ": " + what);
      }
      Files.writeString(ini, text.replace(what, instead));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGHUP, as a service manager reloads it. */
  public void hangUp() {
    ProcessSignal.send("HUP", current().pid());
  }

  /** SIGTERM, as a service manager stops it. */
  public void terminate() {
    ProcessSignal.send("TERM", current().pid());
  }

  /** Cuts the connections to the database: nothing comes through, and nobody is told. */
  public void cut() {
    database().all().cut();
  }

  /** Undoes {@link #cut()}, and whatever else was done to {@link #database()}. */
  public void heal() {
    database().heal();
  }

  /** This host's way to the database. */
  public PostgresProxy database() {
    return proxy.orElseThrow();
  }

  /** Asks the JVM to print what its threads do into the log. */
  public void dumpThreads() {
    ProcessSignal.send("QUIT", current().pid());
  }

  /** Waits for the process to end by itself, and returns its exit code. */
  public int awaitExit(Duration deadline) {
    try {
      Process ending = current();
      if (!ending.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(name + " did not end within " + deadline.toMillis() + " ms");
      }
      Thread reading = reader;
      if (reading != null) {
        reading.join(deadline.toMillis());
      }
      return ending.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Kills the process, whatever state it is in. */
  @Override
  public synchronized void close() {
    closed = true;
    if (isRunning()) {
      kill();
    }
    proxy.ifPresent(PostgresProxy::close);
  }

  private synchronized Process current() {
    if (process == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return process;
  }

  private void read(Process from) {
    try (BufferedReader lines = from.inputReader()) {
      String line;
      while ((line = lines.readLine()) != null) {
        if (log.size() >= MOST_LINES) {
          log.remove(0);
        }
        log.add(line);
        listener.accept(line);
      }
    } catch (IOException ended) {
      // With the process ends its output.
    }
  }
}
