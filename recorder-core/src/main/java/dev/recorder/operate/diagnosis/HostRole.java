package dev.recorder.operate.diagnosis;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.RecorderFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a machine is to a recorder: what its file wants it to be, and what it is.
 *
 * @param wanted null of a recorder that nobody has ever run: it is not known what it is
 * @param since when it became what it is; null if nobody knows
 */
public record HostRole(
    RecorderFacts recorder,
    HostFacts host,
    @Nullable WantedRole wanted,
    Actual actual,
    @Nullable Instant since) {
  /** How long the row of a machine that is gone is shown. */
  static final Duration SHOWN = Duration.ofDays(1);

  /** What its file wants. */
  public enum WantedRole {
    PRIMARY,
    SECONDARY,
    WORKER
  }

  /** What it is. Of a machine that is gone or silent nothing else is said. */
  public enum Actual {
    ACTIVE,
    PAUSED,
    STUCK,
    STANDBY,
    NOT_ABLE,
    REFUSED,
    WORKS,
    SILENT,
    GONE;

    /** As people write it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** One for each recorder and each machine that has it, or had it less than a day ago. */
  public static List<HostRole> all(Facts facts) {
    List<HostRole> all = new ArrayList<>();
    List<RecorderFacts> recorders = new ArrayList<>(facts.recorders());
    recorders.addAll(facts.unregistered());
    for (RecorderFacts recorder : recorders) {
      for (HostFacts host : facts.hosts()) {
        if (isShown(facts, recorder, host)) {
          all.add(of(facts, recorder, host));
        }
      }
    }
    return all;
  }

  /** Whether a machine has the recorder, or had it less than a day ago. */
  static boolean isShown(Facts facts, RecorderFacts recorder, HostFacts host) {
    boolean had =
        host.sections().containsKey("recorder:" + recorder.name()) || host.isPrimary(recorder);
    boolean isRecent = facts.ago(host.status().lastBeat()).compareTo(SHOWN) < 0;
    return host.has(recorder) || (had && (host.hasSession() || isRecent));
  }

  static HostRole of(Facts facts, RecorderFacts recorder, HostFacts host) {
    Actual actual = actual(recorder, host);
    return new HostRole(
        recorder, host, wanted(recorder, host), actual, since(facts, recorder, host, actual));
  }

  private static @Nullable WantedRole wanted(RecorderFacts recorder, HostFacts host) {
    if (!recorder.isRegistered()) {
      return null;
    } else if (!recorder.isLog()) {
      return WantedRole.WORKER;
    }
    return host.isPrimary(recorder) ? WantedRole.PRIMARY : WantedRole.SECONDARY;
  }

  private static Actual actual(RecorderFacts recorder, HostFacts host) {
    if (!host.isAlive()) {
      return host.hasSession() ? Actual.SILENT : Actual.GONE;
    } else if (host.isActive(recorder)) {
      return host.isStuck(recorder) ? Actual.STUCK : unlessPaused(recorder, Actual.ACTIVE);
    } else if (host.condition(recorder.name(), About.REFUSED).isPresent()) {
      return Actual.REFUSED;
    } else if (!recorder.isRegistered()) {
      return Actual.NOT_ABLE;
    } else if (!recorder.isLog()) {
      // Nobody registers for requests: a host is able unless it states that it is not.
      return host.condition(recorder.name(), About.UNABLE).isPresent()
          ? Actual.NOT_ABLE
          : unlessPaused(recorder, Actual.WORKS);
    }
    return host.standsBy(recorder) ? Actual.STANDBY : Actual.NOT_ABLE;
  }

  private static Actual unlessPaused(RecorderFacts recorder, Actual otherwise) {
    return recorder.paused() == null ? otherwise : Actual.PAUSED;
  }

  private static @Nullable Instant since(
      Facts facts, RecorderFacts recorder, HostFacts host, Actual actual) {
    return switch (actual) {
      case ACTIVE -> recorder.begunAt();
      case PAUSED -> pausedSince(facts, recorder, host);
      case STUCK -> stated(facts, recorder, host, About.HELD_UP);
      case NOT_ABLE -> stated(facts, recorder, host, About.UNABLE);
      case REFUSED -> stated(facts, recorder, host, About.REFUSED);
      case SILENT, GONE -> host.status().lastBeat();
      case STANDBY, WORKS -> stated(facts, recorder, host, About.READY);
    };
  }

  /** A holder or worker that came after the pause began is paused only since then. */
  private static @Nullable Instant pausedSince(
      Facts facts, RecorderFacts recorder, HostFacts host) {
    PausedRecorder paused = recorder.paused();
    Instant begun = paused == null ? null : paused.since();
    Instant has =
        recorder.isLog() ? recorder.begunAt() : stated(facts, recorder, host, About.READY);
    return begun == null || has == null || begun.isAfter(has) ? begun : has;
  }

  private static @Nullable Instant stated(
      Facts facts, RecorderFacts recorder, HostFacts host, About about) {
    Optional<Condition> condition = host.condition(recorder.name(), about);
    return condition.map(c -> facts.at().minus(c.lasts())).orElse(null);
  }
}
