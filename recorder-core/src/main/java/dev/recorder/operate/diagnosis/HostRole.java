package dev.recorder.operate.diagnosis;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.metrics.Readiness;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.RecorderFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The role of a host for a recorder: the role that its file wants, and its actual state.
 *
 * @param wanted the role in the host's file; null if the recorder was never run, so that its kind
 *     is unknown
 * @param since when the actual state began; null if unknown
 * @param why the reason that the host states why it could not take the recorder, or makes no
 *     progress; null if it states none
 */
public record HostRole(
    RecorderFacts recorder,
    HostFacts host,
    @Nullable WantedRole wanted,
    Actual actual,
    @Nullable Instant since,
    @Nullable String why) {
  /** The role in the host's file. */
  public enum WantedRole {
    PRIMARY,
    SECONDARY,
    WORKER
  }

  /**
   * The actual state. A host without a session, or silent, is only {@code GONE} or {@code SILENT}.
   */
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

    /** The word for people. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** Returns a role for each recorder and each host that has it, or had it less than a day ago. */
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

  /** Whether a host has the recorder, or had it less than a day ago. */
  static boolean isShown(Facts facts, RecorderFacts recorder, HostFacts host) {
    boolean had =
        host.sections().containsKey("recorder:" + recorder.name()) || host.isPrimary(recorder);
    return host.has(recorder) || (had && facts.isShown(host));
  }

  /** Returns the roles of all living hosts, whether they have the recorder or not. */
  static List<HostRole> living(Facts facts, RecorderFacts recorder) {
    return facts.living().stream().map(host -> of(facts, recorder, host)).toList();
  }

  /** Returns the roles of the other living hosts that have the recorder. */
  static Stream<HostRole> others(Facts facts, RecorderFacts recorder, HostFacts host) {
    return living(facts, recorder).stream()
        .filter(role -> !role.host().equals(host) && role.host().has(recorder));
  }

  static HostRole of(Facts facts, RecorderFacts recorder, HostFacts host) {
    Actual actual = actual(recorder, host);
    Optional<Condition> stated = host.condition(recorder.name(), about(actual));
    return new HostRole(
        recorder,
        host,
        wanted(recorder, host),
        actual,
        since(facts, recorder, host, actual),
        stated.map(Condition::why).filter(why -> !why.isEmpty()).orElse(null));
  }

  /** Whether the host records it, or processes its requests; also while it is paused. */
  public boolean isAtWork() {
    return switch (actual) {
      case ACTIVE, STUCK -> true;
      case PAUSED, WORKS -> recorder.isLog() || host.has(recorder);
      case STANDBY, NOT_ABLE, REFUSED, SILENT, GONE -> false;
    };
  }

  /** Returns the reason why the host could not take it, as the end of a sentence. */
  String orInItsLog() {
    return why == null ? ", its log has the reason" : ": " + why;
  }

  /** Whether the host could take the log now. */
  public boolean couldTake() {
    return actual == Actual.STANDBY && host.isAble(recorder);
  }

  /** Whether the host could take the log if it had the key of the log's election. */
  public boolean waitsForKey() {
    return actual == Actual.STANDBY && !host.isAble(recorder);
  }

  /** Whether the host is still checking whether it is able, as after each start. */
  boolean isBeingChecked() {
    return actual == Actual.NOT_ABLE
        && host.condition(recorder.name(), About.UNABLE)
            .filter(c -> c.why().contains(Readiness.CHECKING))
            .filter(c -> c.lasts().compareTo(Limits.CHECKING) < 0)
            .isPresent();
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
      // Hosts do not register for requests: a host is able unless it states otherwise.
      return host.condition(recorder.name(), About.UNABLE).isPresent()
          ? Actual.NOT_ABLE
          : unlessPaused(recorder, Actual.WORKS);
    }
    // With an election by a key, only the key's holder is able.
    boolean isReady =
        host.condition(recorder.name(), About.READY).isPresent()
            && host.condition(recorder.name(), About.UNABLE).isEmpty();
    return isReady || host.isAble(recorder) ? Actual.STANDBY : Actual.NOT_ABLE;
  }

  private static Actual unlessPaused(RecorderFacts recorder, Actual otherwise) {
    return recorder.paused() == null ? otherwise : Actual.PAUSED;
  }

  private static @Nullable Instant since(
      Facts facts, RecorderFacts recorder, HostFacts host, Actual actual) {
    return switch (actual) {
      case ACTIVE -> recorder.begunAt();
      case PAUSED -> pausedSince(facts, recorder, host);
      case SILENT, GONE -> host.status().lastBeat();
      case STUCK, NOT_ABLE, REFUSED, STANDBY, WORKS -> stated(facts, recorder, host, about(actual));
    };
  }

  /** Returns the condition that belongs to a state. */
  private static About about(Actual actual) {
    return switch (actual) {
      case ACTIVE, PAUSED, STUCK -> About.HELD_UP;
      case NOT_ABLE -> About.UNABLE;
      case REFUSED -> About.REFUSED;
      case STANDBY, WORKS, SILENT, GONE -> About.READY;
    };
  }

  /**
   * Returns since when a host is paused. A host that took the recorder during the pause is paused
   * since then.
   */
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
