package dev.recorder.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.testing.Patience;
import dev.recorder.time.NamedThreadFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** By a socket as systemd's own, and the program that sends to it. */
class ServiceManagerTest {
  private static final String PROGRAM = "systemd-notify";

  /** Prints a line for each datagram. Perl is part of every Debian; Java has no such sockets. */
  private static final String RECEIVER =
      """
      use Socket; $| = 1;
      socket(S, AF_UNIX, SOCK_DGRAM, 0) and bind(S, pack_sockaddr_un($ARGV[0])) or die $!;
      print "bound\\n";
      while (defined recv(S, $m, 65536, 0)) { $m =~ s/\\n/ /g; print "$m\\n"; }
      """;

  private static final Readiness READY = new Readiness(ReadinessState.READY, "", 0);

  @TempDir private Path folder;

  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private volatile long now;
  private final MachineMetrics metrics = new MachineMetrics(() -> now, List.of("start"));
  private volatile @Nullable Note note;
  private Process receiver;

  @BeforeEach
  void aSocket() throws Exception {
    assumeTrue(isThere(PROGRAM) && isThere("perl"), "no systemd-notify or no perl");
    receiver =
        new ProcessBuilder("perl", "-e", RECEIVER, socket())
            .redirectError(Redirect.INHERIT)
            .start();
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(receiver.getInputStream(), StandardCharsets.UTF_8));
    assertThat(lines.readLine()).isEqualTo("bound");
    new NamedThreadFactory("told").newThread(() -> read(lines)).start();
    metrics.configured(List.of("orders"), List.of("jobs"));
  }

  @AfterEach
  void noSocket() {
    if (receiver != null) {
      receiver.destroyForcibly();
    }
  }

  @Test
  void itIsReadyOnceEachRecorderIsAbleOrHasAReason() throws Exception {
    metrics.log("orders").readiness(() -> Readiness.unchecked(0));
    metrics.requests("jobs").readiness(() -> READY.next(ReadinessState.UNABLE, "no table", 0));
    try (ServiceManager manager = manager(Map.of())) {
      assertThat(next()).isEqualTo("STATUS=starts");
      metrics.heartbeats(() -> 1, () -> now);
      metrics.registered(true);
      metrics.turned();
      assertThat(next()).isEqualTo("STATUS=unable: orders, jobs");

      metrics.log("orders").readiness(() -> READY);

      assertThat(next()).isEqualTo("READY=1 STATUS=standby: orders; unable: jobs");
      AtomicReference<String> before = new AtomicReference<>();
      // Sent before the reload, however late it is received.
      manager.reloads(() -> before.set(nextInReload()));
      assertThat(before.get())
          .matches("RELOADING=1 MONOTONIC_USEC=\\d+ STATUS=reads its file again");
      assertThat(List.of(next(), next()))
          .containsExactlyInAnyOrder("READY=1", "STATUS=standby: orders; unable: jobs");
      manager.stopping();
      assertThat(next()).isEqualTo("STOPPING=1 STATUS=lets its recorders go");
    }
  }

  @Test
  void theGravestNoteIsToldBeforeTheRolesAndTellsNothingElse() throws Exception {
    metrics.log("orders").readiness(() -> READY);
    metrics.requests("jobs").readiness(() -> READY);
    metrics.heartbeats(() -> 1, () -> now);
    metrics.registered(true);
    metrics.turned();
    try (ServiceManager manager = manager(Map.of())) {
      assertThat(next()).isEqualTo("READY=1 STATUS=standby: orders; works: jobs");

      note = new Note(Severity.CRITICAL, NoteKind.STUCK, "orders", "a", "no progress\nSTOPPING=1");

      assertThat(next()).isEqualTo("STATUS=CRITICAL orders on a: no progress STOPPING=1");
      note = null;
      assertThat(next()).isEqualTo("STATUS=standby: orders; works: jobs");
      manager.stopping();
    }
  }

  @Test
  void aDatabaseThatIsDownKeepsNoUnitFromBeingStarted() throws Exception {
    metrics.unreached();
    try (ServiceManager manager = manager(Map.of())) {
      assertThat(next()).isEqualTo("READY=1 STATUS=waits for the database");
      manager.stopping();
    }
  }

  @Test
  void theWatchdogIsFedWhileTheControlLoopTurns() throws Exception {
    AtomicReference<Readiness> readiness = new AtomicReference<>(READY);
    metrics.configured(List.of("orders"), List.of());
    metrics.log("orders").readiness(readiness::get);
    metrics.heartbeats(() -> 1, () -> now);
    metrics.registered(true);
    metrics.turned();
    try (ServiceManager manager = manager(Map.of("WATCHDOG_USEC", "300000"))) {
      assertThat(next()).startsWith("READY=1 STATUS=standby: orders");
      assertThat(next()).isEqualTo("WATCHDOG=1");

      now = TimeUnit.HOURS.toNanos(1); // The loop has not turned since.
      readiness.set(Readiness.unchecked(0));
      while (!next().contains("STATUS=")) {} // It looks more rarely than it has to be fed.
      for (Readiness changed : List.of(READY, Readiness.unchecked(0), READY)) {
        readiness.set(changed);
        assertThat(next()).startsWith("STATUS=").doesNotContain("WATCHDOG");
      }
      metrics.turned();
      assertThat(next()).isEqualTo("WATCHDOG=1");
      manager.stopping();
    }
  }

  @Test
  void withoutASocketNothingIsSent() {
    try (ServiceManager manager = ServiceManager.of(PROGRAM, metrics, Optional::empty, Map.of())) {
      manager.reloads(() -> told.add("reads"));
      manager.stopping();
    }
    assertThat(told).containsExactly("reads");
  }

  @Test
  void withoutTheProgramTheLogSaysSoOnce() {
    Logger logger = (Logger) LoggerFactory.getLogger(ServiceManager.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try (ServiceManager manager =
        ServiceManager.of(
            "no-such-program", metrics, Optional::empty, Map.of("NOTIFY_SOCKET", socket()))) {
      manager.stopping();
      manager.stopping();
    } finally {
      logger.detachAppender(lines);
    }

    assertThat(lines.list)
        .singleElement()
        .extracting(ILoggingEvent::getFormattedMessage)
        .asString()
        .startsWith("systemd is not told how this host stands: ")
        .contains("no-such-program", "Type=exec");
  }

  private ServiceManager manager(Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("NOTIFY_SOCKET", socket());
    return ServiceManager.of(PROGRAM, metrics, () -> Optional.ofNullable(note), environment);
  }

  private String socket() {
    return folder.resolve("socket").toString();
  }

  /** Without what only says that the one before has been read. */
  private String next() throws InterruptedException {
    String line;
    do {
      line = told.poll(Patience.A_MINUTE.toSeconds(), TimeUnit.SECONDS);
    } while (line != null && line.startsWith("BARRIER=1"));
    return String.valueOf(line).strip();
  }

  private String nextInReload() {
    try {
      return next();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void read(BufferedReader lines) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        told.add(line);
      }
    } catch (IOException ended) {
      // With the receiver.
    }
  }

  private static boolean isThere(String program) {
    return Stream.of("/usr/bin", "/bin").anyMatch(f -> Files.isExecutable(Path.of(f, program)));
  }
}
