package dev.recorder.app.metrics;

import dev.recorder.app.looks.LatestSample;
import dev.recorder.app.looks.LockSample;
import dev.recorder.app.looks.SiteSample;
import dev.recorder.leadership.postgres.Condition;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.LastVerdict.Slots;
import dev.recorder.operate.orders.LastVerdict.VerificationOutcome;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HorizonFacts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import dev.recorder.operate.site.WorkCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What host {@code a} prints for CloudWatch of a site with two hosts, the log {@code orders} and
 * the requests {@code jobs}. All is well unless told.
 */
final class PrintedSite {
  private static final Readiness READY = new Readiness(ReadinessState.READY, "", 0);
  private static final Instant AT = Instant.parse("2026-01-01T00:00:10Z");
  private static final long NOW = 1_000_000_000_000L;

  final MachineMetrics machine = new MachineMetrics(() -> NOW, List.of("died", "start"));
  final Reloads reloads = new Reloads();
  boolean silent;
  boolean looked = true;
  boolean requestsAble = true;
  boolean stuck;
  boolean heldUp;
  boolean otherIsAlive = true;
  boolean bothPrimary;
  String holder = "a";
  String otherFile = "hash";
  long oldestSeconds;
  boolean paused;
  long standsStillSeconds;
  long xminSeconds;
  long clearingSeconds;
  boolean tableIsLate;
  long faults;
  long overdueSeconds;

  private final EmfFigures figures =
      new EmfFigures(new EmfReport.Whose("s", "a", List.of("orders")), machine, reloads);

  PrintedSite() {
    machine.configured(List.of("orders"), List.of("jobs"));
    machine.log("orders").readiness(() -> READY);
    machine.registered(true);
    machine.heartbeats(() -> 1_000_000_000L, () -> NOW);
  }

  /** Of the next minute. */
  List<String> lines() {
    if (requestsAble) {
      machine.requests("jobs").readiness(() -> READY);
    }
    long progressAt = NOW - Duration.ofSeconds(standsStillSeconds).toNanos();
    machine.log("orders").writes(() -> true, () -> progressAt);
    LatestSample found = new LatestSample(look(), NOW, 1, List.of(), looked, "");
    return silent ? List.of() : figures.lines(found, AT.toEpochMilli());
  }

  private SiteSample look() {
    Facts facts =
        new Facts(
            AT,
            List.of(host("a", true, "hash"), host("b", otherIsAlive, otherFile)),
            List.of(orders()),
            Optional.of(new HorizonFacts("session 12", AT.minusSeconds(xminSeconds))));
    return new SiteSample(
        Diagnosis.of(facts, new Limits(Duration.ofMinutes(1), Duration.ofSeconds(4), 2)),
        2,
        new WorkCounts(Map.of(), new WorkCounts.Locks(0, 0, 0, 0)),
        Map.of(),
        LockSample.NONE);
  }

  private HostFacts host(String name, boolean alive, String file) {
    boolean isPrimary = bothPrimary || name.equals("a");
    MachineStatus status =
        new MachineStatus(
            name,
            alive,
            AT,
            1,
            0,
            name.equals(holder) ? List.of(1) : List.of(),
            List.of(1),
            isPrimary ? List.of(1) : List.of(),
            "1",
            file);
    Condition clearing =
        new Condition(
            "orders",
            Condition.About.CLEARING,
            "for session 12",
            Duration.ofSeconds(clearingSeconds));
    List<Condition> conditions = new ArrayList<>(List.of(clearing));
    if (heldUp) {
      String locked = "canceling statement due to lock timeout";
      conditions.add(
          new Condition("orders", Condition.About.HELD_UP, locked, Duration.ofSeconds(4)));
    }
    if (tableIsLate) {
      conditions.add(
          new Condition("orders", Condition.About.TABLE, "HTTP 403", Duration.ofHours(2)));
    }
    return new HostFacts(status, alive, stuck ? Set.of(1) : Set.of(), Map.of(), conditions);
  }

  private RecorderFacts orders() {
    RecorderStatus status =
        new RecorderStatus(
            "orders", 1, "log", holder, 2, 1, 42, AT.minusSeconds(1), new Backlog(1, false));
    Instant verified = AT.minus(Duration.ofDays(1)).minusSeconds(overdueSeconds);
    VerificationOutcome outcome =
        new VerificationOutcome(
            faults == 0, new Slots(1, 41), true, verified, "a", faults, List.of());
    PausedRecorder pause =
        paused ? new PausedRecorder(AT.plusSeconds(3600), "migration", null, null) : null;
    return new RecorderFacts(
            status,
            AT.minusSeconds(7200),
            null,
            null,
            null,
            AT.minusSeconds(oldestSeconds),
            pause,
            null)
        .judged(
            new LastVerdict(
                Duration.ofDays(1), AT.minus(Duration.ofDays(30)), outcome, null, null));
  }
}
