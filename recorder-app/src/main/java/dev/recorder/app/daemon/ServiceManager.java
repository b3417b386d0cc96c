package dev.recorder.app.daemon;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.app.http.HealthChecks;
import dev.recorder.app.logs.AppEvent;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd the state of this host, if {@code NOTIFY_SOCKET} is set: ready, reloading,
 * stopping, and a sentence. Also tells systemd that the control loop turns: without these messages,
 * systemd restarts the process.
 *
 * <p>Sends through the program {@code systemd-notify}: see docs/adr/0024-systemd-notify.md.
 * Thread-safe.
 */
final class ServiceManager implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServiceManager.class);
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final long ANSWER_SECONDS = 5;
  private static final String READY = "READY=1";
  private static final String SOCKET = "NOTIFY_SOCKET";

  private final String program;
  private final MachineMetrics metrics;
  private final Supplier<Optional<Note>> gravestNote;
  private final Ticker ticker = Ticker.system();
  private final @Nullable Thread looks;
  private final long pingNanos;
  private final String socket;

  @GuardedBy("this")
  private boolean isReady;

  @GuardedBy("this")
  private boolean isStopping;

  @GuardedBy("this")
  private boolean hasFailed;

  @GuardedBy("this")
  private String sentence = "";

  @GuardedBy("this")
  private long pingedAt = ticker.nanos();

  private ServiceManager(
      String program,
      MachineMetrics metrics,
      Supplier<Optional<Note>> gravestNote,
      Map<String, String> environment) {
    this.program = program;
    this.metrics = metrics;
    this.gravestNote = gravestNote;
    pingNanos = pingNanos(environment.get("WATCHDOG_USEC"));
    socket = environment.getOrDefault(SOCKET, "");
    looks =
        socket.isEmpty() ? null : new NamedThreadFactory("service-manager").newThread(this::look);
    if (looks != null) {
      looks.start();
    }
  }

  /** Whether systemd expects messages from this process. */
  static boolean isThere() {
    return !System.getenv().getOrDefault(SOCKET, "").isEmpty();
  }

  static ServiceManager ofThisProcess(
      MachineMetrics metrics, Supplier<Optional<Note>> gravestNote) {
    return of("systemd-notify", metrics, gravestNote, System.getenv());
  }

  static ServiceManager of(
      String program,
      MachineMetrics metrics,
      Supplier<Optional<Note>> gravestNote,
      Map<String, String> environment) {
    return new ServiceManager(program, metrics, gravestNote, environment);
  }

  /** Returns the interval of watchdog messages, a third of systemd's limit; 0 for no messages. */
  private static long pingNanos(@Nullable String microseconds) {
    return microseconds == null || !microseconds.matches("[0-9]{1,15}")
        ? 0
        : TimeUnit.MICROSECONDS.toNanos(Long.parseLong(microseconds)) / 3;
  }

  /** Runs {@code reload}, and tells systemd when it begins and ends. */
  void reloads(Runnable reload) {
    synchronized (this) {
      if (isReady) {
        say(
            "RELOADING=1",
            "MONOTONIC_USEC=" + TimeUnit.NANOSECONDS.toMicros(ticker.nanos()),
            "STATUS=reads its file again");
        sentence = "";
      }
    }
    reload.run();
    synchronized (this) {
      if (isReady) {
        say(READY);
      }
    }
  }

  synchronized void stopping() {
    isStopping = true;
    say("STOPPING=1", "STATUS=lets its recorders go");
  }

  private void look() {
    try {
      while (true) {
        tellNews();
        Pause.sleep(LOOK);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void tellNews() {
    if (isStopping) {
      return;
    }
    List<String> news = new ArrayList<>();
    HostSentence host = HostSentence.of(metrics, gravestNote);
    if (!isReady && host.isFinal()) {
      isReady = true;
      news.add(READY);
    }
    if (!sentence.equals(host.text())) {
      sentence = host.text();
      news.add("STATUS=" + sentence);
    }
    if (pingNanos > 0 && ticker.nanos() - pingedAt >= pingNanos && HealthChecks.isAlive(metrics)) {
      pingedAt = ticker.nanos();
      news.add("WATCHDOG=1");
    }
    if (!news.isEmpty()) {
      say(news.toArray(String[]::new));
    }
  }

  @GuardedBy("this")
  private void say(String... words) {
    if (looks == null) {
      return;
    }
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(words));
    try {
      ProcessBuilder call =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD);
      call.environment().put(SOCKET, socket);
      Process told = call.start();
      if (!told.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        told.destroyForcibly();
        failed("systemd-notify does not end");
      } else if (told.exitValue() != 0) {
        failed("systemd-notify ended with " + told.exitValue());
      }
    } catch (IOException missing) {
      failed(String.valueOf(missing.getMessage()));
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  @GuardedBy("this")
  private void failed(String why) {
    if (!hasFailed) {
      hasFailed = true;
      log.warn(
          AppEvent.SERVICE_MANAGER_NOT_TOLD,
          "systemd is not told how this host stands: {}; install systemd-notify, or write"
              + " Type=exec and WatchdogSec=0 into the unit",
          why);
    }
  }

  @Override
  public void close() {
    if (looks != null) {
      looks.interrupt();
    }
  }
}
