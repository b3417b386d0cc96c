package dev.recorder.app.metrics;

import dev.recorder.app.looks.LatestSample;
import dev.recorder.app.looks.LockSample;
import dev.recorder.app.looks.SiteSample;
import dev.recorder.leadership.TakeoverReason;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.LastVerdict.Slots;
import dev.recorder.operate.orders.LastVerdict.VerificationOutcome;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import dev.recorder.operate.site.WorkCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** A host that has something to say of everything. */
final class Example {
  static final long NOW = 1_000_000_000_000L;
  private static final Instant AT = Instant.parse("2026-01-01T00:00:10Z");

  private Example() {}

  static MachineMetrics machine(int recorders) {
    MachineMetrics machine =
        new MachineMetrics(
            () -> NOW,
            Arrays.stream(TakeoverReason.values()).map(TakeoverReason::toString).toList());
    machine.configured(names(recorders), List.of("jobs"));
    machine.heartbeats(() -> 1_200_000_000L, () -> NOW - 300_000_000L);
    machine.registered(true);
    machine.gap("died", Duration.ofMillis(120));
    names(recorders)
        .forEach(
            name -> {
              machine.log(name).tookOver("died", 8, Duration.ofMillis(120));
              machine.log(name).writes(() -> true, () -> NOW - 1);
              machine.log(name).settled(42, 10, 2_000, 500);
              machine.log(name).put().add(20_000_000);
            });
    return machine;
  }

  private static List<String> names(int recorders) {
    return IntStream.rangeClosed(1, recorders).mapToObj(i -> "orders" + i).toList();
  }

  static LatestSample found() {
    MachineStatus host =
        new MachineStatus(
            "host-a", true, AT, 1, 0, List.of(1), List.of(1), List.of(1), "1", "hash");
    RecorderFacts orders =
        new RecorderFacts(
            new RecorderStatus(
                "orders1", 1, "log", "host-a", 8, 1, 42, AT.minusSeconds(3), new Backlog(7, false)),
            AT.minusSeconds(60),
            null,
            null,
            null,
            AT.minusMillis(1500),
            null,
            new LastVerdict(
                Duration.ofDays(1),
                AT.minus(Duration.ofDays(30)),
                new VerificationOutcome(
                    true, new Slots(1, 40), true, AT.minusSeconds(90), "b", 0, List.of()),
                null,
                null));
    Facts facts =
        new Facts(
            AT,
            List.of(new HostFacts(host, true, Set.of(), Map.of(), List.of())),
            List.of(orders, jobs()),
            Optional.empty());
    Limits limits = new Limits(Duration.ofMinutes(1), Duration.ofSeconds(4), 2);
    SiteSample look =
        new SiteSample(
            Diagnosis.of(facts, limits),
            limits.hosts(),
            new WorkCounts(
                Map.of("jobs", new WorkCounts.Requests(3, 2, 1)), new WorkCounts.Locks(4, 1, 5, 6)),
            Map.of(),
            LockSample.NONE);
    return LatestSample.of(look, NOW, 5_000_000, List.of());
  }

  private static RecorderFacts jobs() {
    return new RecorderFacts(
        new RecorderStatus("jobs", 2, "requests", null, 0, 1, 0, null, new Backlog(5, false)),
        null,
        null,
        null,
        null,
        AT.minusSeconds(9),
        null,
        null);
  }

  static String text() {
    return text(machine(1));
  }

  static String text(MachineMetrics machine) {
    return new Exposition(
            new Exposition.ExposedHost("host-a", "1.0"),
            machine,
            new Reloads(),
            Example::found,
            () -> NOW)
        .get();
  }
}
