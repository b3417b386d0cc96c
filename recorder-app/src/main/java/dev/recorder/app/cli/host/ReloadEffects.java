package dev.recorder.app.cli.host;

import dev.recorder.app.config.RecorderChange;
import dev.recorder.app.config.RecorderChange.ChangeKind;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.diagnosis.HostRole;
import dev.recorder.operate.diagnosis.HostRole.Actual;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.RecorderFacts;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The effects of a reload so far, from the database: the changes that are complete, and the state
 * of the recorders. Pure.
 *
 * @param machine the host that has reloaded
 * @param activeBefore the recorders for which the host was active before the reload
 * @param site the present state of hosts and recorders
 */
record ReloadEffects(String machine, Set<String> activeBefore, Diagnosis site) {
  private static final String HANDED_OVER = "handed_over";

  /**
   * The effect on one recorder.
   *
   * @param word the kind of the change, for scripts
   * @param settled whether the change is complete
   * @param faulty whether the host refuses the recorder, so that an operator must act
   * @param now the state of the recorder, in a sentence
   */
  record RecorderReloadEffect(
      String recorder, String word, boolean settled, boolean faulty, String now) {
    private RecorderReloadEffect(
        RecorderChange change, boolean settled, boolean faulty, String now) {
      this(change.recorder(), change.kind().word(), settled, faulty, now);
    }

    private RecorderReloadEffect as(String otherWord) {
      return new RecorderReloadEffect(recorder, otherWord, settled, faulty, now);
    }
  }

  static Set<String> active(String machine, Facts facts) {
    return facts.recorders().stream()
        .filter(recorder -> machine.equals(recorder.status().holder()))
        .map(RecorderFacts::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the effect of each change, in the same order. */
  List<RecorderReloadEffect> of(List<RecorderChange> changes) {
    return changes.stream().map(this::of).toList();
  }

  private RecorderReloadEffect of(RecorderChange change) {
    Optional<HostFacts> host = site.facts().host(machine).filter(HostFacts::isAlive);
    Optional<RecorderFacts> found = site.facts().recorder(change.recorder());
    if (host.isEmpty()) {
      return waiting(change, machine + " has no session with the database at the moment");
    }
    Optional<HostRole> refused = role(change).filter(role -> role.actual() == Actual.REFUSED);
    if (refused.isPresent()
        && change.kind() != ChangeKind.STOPPED
        && isRegistered(host.get(), change)) {
      String why = "refused on " + machine + ": " + refused.get().why();
      return new RecorderReloadEffect(change, true, true, why);
    }
    return switch (change.kind()) {
      case STARTED -> started(change, host.get(), found.orElse(null));
      case STOPPED -> stopped(change, host.get(), found.orElse(null));
      case NOT_PREFERRED -> notPreferred(change, host.get(), found.orElse(null));
      case PREFERRED -> preferred(change, host.get(), found.orElse(null));
      case CHANGED, NEEDS_RESTART, UNCHANGED -> settled(change, standing(found.orElse(null)));
    };
  }

  private RecorderReloadEffect started(
      RecorderChange change, HostFacts host, @Nullable RecorderFacts recorder) {
    if (recorder == null || !isRegistered(host, change)) {
      return waiting(change, machine + " has yet to prepare it");
    } else if (!recorder.isLog()) {
      return works(change, host, recorder);
    } else if (host.isActive(recorder)) {
      return settled(change, standing(recorder));
    } else if (isUnable(change)) {
      return waiting(change, notAble(change, recorder));
    }
    // An able host may still wait for the primary before it takes the recorder.
    return recorder.status().holder() == null
        ? waiting(change, "no host is active yet")
        : settled(change, standing(recorder));
  }

  /**
   * Returns the effect on a recorder of requests. A host reports that it works on the requests,
   * unless it has too many recorders to report on all of them.
   */
  private RecorderReloadEffect works(
      RecorderChange change, HostFacts host, RecorderFacts recorder) {
    boolean says = host.condition(recorder.name(), About.READY).isPresent();
    boolean mustSay = host.conditions().size() < Condition.MOST;
    return says || (!mustSay && !isUnable(change))
        ? settled(change, standing(recorder))
        : waiting(change, notAble(change, recorder));
  }

  private RecorderReloadEffect stopped(
      RecorderChange change, HostFacts host, @Nullable RecorderFacts recorder) {
    boolean gone = !isRegistered(host, change);
    if (recorder == null || !recorder.isLog()) {
      return gone ? settled(change, "not on " + machine) : waiting(change, "still on " + machine);
    }
    return gone && !host.isActive(recorder)
        ? settled(change, standing(recorder))
        : waiting(change, machine + " settles what is under way");
  }

  private RecorderReloadEffect notPreferred(
      RecorderChange change, HostFacts host, @Nullable RecorderFacts recorder) {
    if (recorder == null || host.isPrimary(recorder)) {
      return waiting(change, machine + " has yet to say that it is not its primary");
    }
    Optional<HostFacts> other = otherPrimary(recorder);
    boolean between = recorder.status().holder() == null && other.isPresent();
    if (!host.isActive(recorder) && !between) {
      RecorderReloadEffect gone = settled(change, standing(recorder));
      return activeBefore.contains(change.recorder()) ? gone.as(HANDED_OVER) : gone;
    }
    return other.isEmpty()
        ? settled(change, "stays on %s until another host is its primary".formatted(machine))
        : waiting(change, "it goes from %s to %s".formatted(machine, other.get().name()));
  }

  private RecorderReloadEffect preferred(
      RecorderChange change, HostFacts host, @Nullable RecorderFacts recorder) {
    if (recorder == null || !host.isPrimary(recorder)) {
      return waiting(change, machine + " has yet to say that it is its primary");
    } else if (host.isActive(recorder)) {
      return settled(change, standing(recorder));
    }
    Optional<HostFacts> other = otherPrimary(recorder).filter(peer -> peer.isActive(recorder));
    if (other.isPresent()) {
      return settled(change, "stays on %s, which is its primary too".formatted(other.get().name()));
    }
    if (role(change).filter(HostRole::waitsForKey).isPresent()) {
      return settled(change, standing(recorder)); // The key in Redis decides which host is active.
    }
    return isUnable(change)
        ? waiting(change, notAble(change, recorder))
        : waiting(change, "it comes to " + machine);
  }

  /** Whether the host has reported that its file has the recorder. */
  private static boolean isRegistered(HostFacts host, RecorderChange change) {
    return host.sections().containsKey(RecorderSection.SECTION + change.recorder());
  }

  private Optional<HostFacts> otherPrimary(RecorderFacts recorder) {
    return site.facts().living().stream()
        .filter(peer -> !peer.name().equals(machine) && peer.isPrimary(recorder))
        .findFirst();
  }

  private Optional<HostRole> role(RecorderChange change) {
    return site.role(change.recorder(), machine);
  }

  private boolean isUnable(RecorderChange change) {
    return role(change).filter(role -> role.actual() != Actual.NOT_ABLE).isEmpty();
  }

  private String notAble(RecorderChange change, RecorderFacts recorder) {
    String why = role(change).map(HostRole::why).map(each -> ": " + each).orElse(" yet");
    return machine + " is not able to " + (recorder.isLog() ? "take it" : "process it") + why;
  }

  private String standing(@Nullable RecorderFacts recorder) {
    if (recorder == null) {
      return "no host has run it yet";
    }
    PausedRecorder paused = recorder.paused();
    if (!recorder.isLog()) {
      return paused == null
          ? "requests are processed by all hosts that are able to"
          : "no host processes requests: it is " + paused;
    }
    String holder = recorder.status().holder();
    if (paused != null) {
      return (holder == null ? "no host" : holder) + " holds it, and it is " + paused;
    } else if (holder == null) {
      return "no host is active";
    }
    return site.role(recorder.name(), holder)
        .map(HostRole::actual)
        .filter(actual -> actual != Actual.ACTIVE)
        .map(actual -> "%s has it, and is %s".formatted(holder, actual.word()))
        .orElse(holder + " is active");
  }

  private static RecorderReloadEffect settled(RecorderChange change, String now) {
    return new RecorderReloadEffect(change, true, false, now);
  }

  private static RecorderReloadEffect waiting(RecorderChange change, String now) {
    return new RecorderReloadEffect(change, false, false, now);
  }
}
