package dev.recorder.app.page;

import dev.recorder.app.page.Board.BoardRecorder;
import dev.recorder.metrics.LogMetrics;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Role;
import dev.recorder.operate.Facts;
import dev.recorder.operate.HostFacts;
import dev.recorder.operate.RecorderFacts;
import dev.recorder.operate.Takeover;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recorders as the last look has them, put right by what is younger: receipts, and what this host
 * knows of itself. So a takeover is seen before the next look.
 */
final class BoardRows {
  private static final int MOST_OTHERS = 5;
  private static final String NOBODY = "nobody";
  private static final String RETIRED = "retired";

  private final String self;
  private final MachineMetrics metrics;
  private final BoardLook look;
  private final Duration age;
  private final Map<Integer, Takeover> latest = new HashMap<>();

  /**
   * Of host {@code self}.
   *
   * @param age of the look
   */
  BoardRows(
      String self, MachineMetrics metrics, BoardLook look, Duration age, List<Takeover> takeovers) {
    this.self = self;
    this.metrics = metrics;
    this.look = look;
    this.age = age;
    takeovers.forEach(each -> latest.putIfAbsent(each.lockId(), each));
  }

  /** Who is active in a term. */
  private record Tenure(@Nullable String holder, long epoch, @Nullable Instant since) {}

  BoardRecorder of(RecorderFacts recorder, Curves.Lines lines) {
    Tenure tenure = tenure(recorder);
    Instant settled = recorder.status().lastSettledAt();
    var backlog = recorder.status().backlog();
    String state = state(recorder, tenure);
    Instant since = state.equals(NOBODY) ? recorder.lastSign() : tenure.since();
    return new BoardRecorder(
        recorder.name(),
        recorder.status().kind(),
        state,
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

  /** Whether somebody is at work on it. */
  boolean isRecorded(RecorderFacts recorder) {
    String state = state(recorder, tenure(recorder));
    return !List.of(NOBODY, RETIRED, "stuck", "paused").contains(state);
  }

  /** Whether nobody has to be at work on it any more. */
  boolean isRetired(RecorderFacts recorder) {
    return state(recorder, tenure(recorder)).equals(RETIRED);
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

  private String state(RecorderFacts recorder, Tenure tenure) {
    Facts facts = look.facts();
    if (tenure.epoch() == recorder.status().epoch() && facts.isRetired(recorder)) {
      return RETIRED;
    } else if (!recorder.isLog()) {
      return workers(recorder).isEmpty() ? NOBODY : recorder.paused() == null ? "works" : "paused";
    }
    Optional<HostFacts> holder =
        tenure.holder() == null ? Optional.empty() : facts.host(tenure.holder());
    if (tenure.epoch() > recorder.status().epoch()) {
      return "active"; // Since the look: what that says of the host may be older.
    }
    if (holder.filter(host -> host.isActive(recorder)).isEmpty()) {
      return NOBODY;
    } else if (recorder.paused() != null) {
      return "paused";
    } else if (holder.get().isStuck(recorder)) {
      return "stuck";
    }
    return recorder.switchTo() == null ? "active" : "moving";
  }

  private List<String> workers(RecorderFacts recorder) {
    return look.facts().living().stream()
        .filter(host -> host.has(recorder))
        .map(HostFacts::name)
        .toList();
  }

  private List<String> others(RecorderFacts recorder, Tenure tenure) {
    if (!recorder.isLog()) {
      return workers(recorder).stream().limit(MOST_OTHERS).toList();
    }
    return look.facts().living().stream()
        .filter(host -> host.standsBy(recorder) && !host.name().equals(tenure.holder()))
        .map(HostFacts::name)
        .limit(MOST_OTHERS)
        .toList();
  }

  private long millis(Instant then) {
    return look.facts().ago(then).plus(age).toMillis();
  }
}
