package dev.recorder.app.page;

import dev.recorder.app.looks.SiteSample;
import dev.recorder.app.looks.SiteTimeSeries;
import dev.recorder.app.page.PageDocument.BoardRecorder;
import dev.recorder.metrics.LogMetrics;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Role;
import dev.recorder.operate.diagnosis.Activity.ActivityState;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.Takeover;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The recorders of the last sample, updated with younger facts: the receipts of takeovers and this
 * host's own state. A takeover is therefore visible before the next sample.
 */
final class PageRecorders {
  private static final int MOST_OTHERS = 5;

  private final String self;
  private final MachineMetrics metrics;
  private final SiteSample look;
  private final Duration age;
  private final Map<Integer, Takeover> latest = new HashMap<>();

  /**
   * Creates the recorders.
   *
   * @param age the age of the sample
   */
  PageRecorders(
      String self,
      MachineMetrics metrics,
      SiteSample look,
      Duration age,
      List<Takeover> takeovers) {
    this.self = self;
    this.metrics = metrics;
    this.look = look;
    this.age = age;
    takeovers.forEach(each -> latest.putIfAbsent(each.lockId(), each));
  }

  /** A term's active host, epoch and beginning. */
  private record Tenure(@Nullable String holder, long epoch, @Nullable Instant since) {}

  BoardRecorder of(RecorderFacts recorder, SiteTimeSeries.Lines lines) {
    Tenure tenure = tenure(recorder);
    Instant settled = recorder.status().lastSettledAt();
    var backlog = recorder.status().backlog();
    ActivityState state = state(recorder, tenure);
    Instant since = state == ActivityState.NOBODY ? recorder.lastSign() : tenure.since();
    return new BoardRecorder(
        recorder.name(),
        recorder.status().kind(),
        state.word(),
        recorder.isLog() ? tenure.holder() : null,
        others(recorder, tenure),
        tenure.epoch(),
        since == null ? null : millis(since),
        recorder.status().lastSlot(),
        settled == null ? null : millis(settled),
        backlog == null ? null : backlog.rows(),
        backlog != null && backlog.more(),
        look.lagSeconds(recorder),
        look.rates().get(recorder.lockId()),
        lines.lag(),
        lines.rate());
  }

  /** Whether a host works on the recorder. */
  boolean isRecorded(RecorderFacts recorder) {
    return state(recorder, tenure(recorder)).isAtWork();
  }

  /** Whether the recorder is retired, and so needs no host. */
  boolean isRetired(RecorderFacts recorder) {
    return state(recorder, tenure(recorder)) == ActivityState.RETIRED;
  }

  private Tenure tenure(RecorderFacts recorder) {
    Tenure known =
        new Tenure(recorder.status().holder(), recorder.status().epoch(), recorder.begunAt());
    Takeover receipt = latest.get(recorder.lockId());
    if (receipt != null && receipt.toEpoch() > known.epoch()) {
      known = new Tenure(receipt.to(), receipt.toEpoch(), receipt.at());
    }
    LogMetrics own = metrics.logs().get(recorder.name());
    if (own != null && own.role() == Role.ACTIVE && own.epoch() > known.epoch()) {
      known = new Tenure(self, own.epoch(), null);
    }
    return known;
  }

  private ActivityState state(RecorderFacts recorder, Tenure tenure) {
    // If the term began after the sample, the sample's state of the host may be outdated.
    return tenure.epoch() > recorder.status().epoch()
        ? ActivityState.ACTIVE
        : look.site().activity(recorder).state();
  }

  private List<String> others(RecorderFacts recorder, Tenure tenure) {
    return look.site().activity(recorder).able().stream()
        .map(HostFacts::name)
        .filter(name -> !recorder.isLog() || !name.equals(tenure.holder()))
        .limit(MOST_OTHERS)
        .toList();
  }

  private long millis(Instant then) {
    return look.facts().ago(then).plus(age).toMillis();
  }
}
