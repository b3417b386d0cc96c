package dev.recorder.app.page;

import dev.recorder.app.looks.LatestSample;
import dev.recorder.app.looks.LockSample;
import dev.recorder.app.looks.SiteSample;
import dev.recorder.app.looks.SiteTimeSeries;
import dev.recorder.app.page.PageDocumentBuilder.Self;
import dev.recorder.leadership.TakeoverReason;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import dev.recorder.operate.site.Takeover;
import dev.recorder.operate.site.WorkCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What host-b might know: host-a is active for orders, in epoch 7. */
public final class Known {
  static final long NOW = 100_000_000_000L;
  public static final Instant AT = Instant.parse("2026-11-23T12:00:00Z");

  final MachineMetrics metrics =
      new MachineMetrics(
          () -> NOW, Arrays.stream(TakeoverReason.values()).map(TakeoverReason::toString).toList());
  final SiteTimeSeries curves = new SiteTimeSeries();
  private final List<RecorderFacts> recorders = new ArrayList<>();
  private final List<HostFacts> hosts = new ArrayList<>();
  private List<Takeover> takeovers = List.of();
  private Duration age = Duration.ofMillis(300);

  private Known() {
    metrics.configured(List.of("orders"), List.of("jobs"));
    metrics.registered(true);
    metrics.heartbeats(() -> 1_000_000_000L, () -> NOW - 200_000_000L);
  }

  public static Known calm() {
    Known known = new Known();
    known.hosts.add(host("host-a", 0, true, List.of(1)));
    known.hosts.add(host("host-b", 0, true, List.of()));
    known.recorders.add(log("orders", 1, "host-a", null));
    return known;
  }

  static HostFacts host(String name, long beatSecondsAgo, boolean session, List<Integer> active) {
    MachineStatus status =
        new MachineStatus(
            name,
            session && beatSecondsAgo < 2,
            AT.minusSeconds(beatSecondsAgo),
            0,
            1,
            active,
            List.of(1),
            List.of(),
            "1.0",
            "hash");
    return new HostFacts(status, session, Set.of(), Map.of("recorder:orders", "same"), List.of());
  }

  public static RecorderFacts log(
      String name, int lockId, @Nullable String holder, @Nullable Instant old) {
    return new RecorderFacts(
        new RecorderStatus(
            name, lockId, "log", holder, 7, 1, 41, AT.minusSeconds(5), new Backlog(3, false)),
        AT.minusSeconds(60),
        null,
        null,
        null,
        old,
        null,
        null);
  }

  Known with(HostFacts host) {
    hosts.removeIf(each -> each.name().equals(host.name()));
    hosts.add(host);
    return this;
  }

  public Known with(RecorderFacts recorder) {
    recorders.removeIf(each -> each.lockId() == recorder.lockId());
    recorders.add(recorder);
    return this;
  }

  /** With a receipt that is younger than the look by half a second. */
  Known takenOver(String by, long epoch) {
    takeovers =
        List.of(
            new Takeover(
                AT.plusMillis(500),
                1,
                "orders",
                "died",
                "host-a",
                by,
                epoch - 1,
                epoch,
                0,
                120L,
                41,
                1,
                null));
    return this;
  }

  Known since(Duration sinceTheLook) {
    age = sinceTheLook;
    return this;
  }

  public SiteSample look() {
    Facts facts = new Facts(AT, hosts, recorders, Optional.empty());
    Limits limits = new Limits(Duration.ofMinutes(1), Duration.ofSeconds(4), 2);
    return new SiteSample(
        Diagnosis.of(facts, limits),
        2,
        new WorkCounts(Map.of(), new WorkCounts.Locks(0, 0, 0, 0)),
        Map.of(1, 12.5),
        LockSample.NONE);
  }

  PageDocument board() {
    return board(new LatestSample(look(), NOW - age.toNanos(), 1, takeovers, true, ""));
  }

  PageDocument board(LatestSample lastLook) {
    return new PageDocumentBuilder(new Self("host-b", "1.0"), metrics, lastLook, curves, NOW)
        .make();
  }
}
