package dev.recorder.machine.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.leadership.postgres.Conditions;
import dev.recorder.metrics.Readiness;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.RdsManager;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is not as it should be on this machine, and since when it is ready for what it has, for
 * operators to read in the database: written when it has changed, on the control session. Of each
 * recorder one sentence about each matter; {@link Condition#MOST} of all are stated, so that the
 * row stays small. Nothing depends on it: where it cannot be written it is tried again later.
 * Thread-safe.
 */
public final class ConditionBoard {
  static final int LONGEST = 600;

  private final Ticker ticker;

  @GuardedBy("this")
  private final Map<ConditionPlace, ConditionEntry> entries = new HashMap<>();

  @GuardedBy("this")
  private boolean changed;

  // For the control loop's thread.
  private @Nullable Object statedOn;
  private boolean statedAny;

  private record ConditionPlace(String recorder, About about) {}

  private record ConditionEntry(String why, long since) {}

  ConditionBoard(Ticker ticker) {
    this.ticker = ticker;
  }

  /** States something, and why, or by null that it is no longer so; for any thread. */
  public void state(String recorder, About about, @Nullable String why) {
    state(recorder, about, why, Duration.ZERO);
  }

  /**
   * The same of what is stated later than it began.
   *
   * @param lasts since when, counted back from now; what is stated already keeps its beginning
   */
  public synchronized void state(
      String recorder, About about, @Nullable String why, Duration lasts) {
    ConditionPlace place = new ConditionPlace(recorder, about);
    ConditionEntry before = entries.get(place);
    if (why == null) {
      changed |= entries.remove(place) != null;
      return;
    }
    String cut = why.length() > LONGEST ? why.substring(0, LONGEST) + "…" : why;
    if (before == null || !before.why.equals(cut)) {
      long since = before == null ? ticker.nanos() - lasts.toNanos() : before.since;
      entries.put(place, new ConditionEntry(cut, since));
      changed = true;
    }
  }

  /** States what of the file, each in a sentence, takes effect after a restart; for any thread. */
  public void awaitsRestart(List<String> what) {
    state("", About.RESTART, what.isEmpty() ? null : String.join("; ", what));
  }

  /** States how ready a recorder is, or by null that nothing is said of it; for any thread. */
  public void state(String recorder, @Nullable Readiness readiness) {
    Duration lasts = Duration.ofNanos(readiness == null ? 0 : ticker.nanos() - readiness.since());
    boolean isReady = readiness != null && readiness.isReady();
    boolean isRefused = readiness != null && readiness.isRefused();
    String why = readiness == null || isReady ? null : readiness.why();
    state(recorder, About.REFUSED, isRefused ? why : null, lasts);
    state(recorder, About.UNABLE, isRefused ? null : why, lasts);
    state(recorder, About.READY, isReady ? "" : null); // Since the last term, if it had one.
  }

  /** Forgets all that was stated of a recorder; for any thread. */
  public void forget(String recorder) {
    for (About about : About.values()) {
      state(recorder, about, null);
    }
  }

  /** All that is stated, the gravest first. */
  public synchronized List<Condition> conditions() {
    long now = ticker.nanos();
    List<Condition> all = new ArrayList<>();
    entries.forEach(
        (place, entry) ->
            all.add(
                new Condition(
                    place.recorder, place.about, entry.why, Duration.ofNanos(now - entry.since))));
    all.sort(Comparator.comparing(Condition::about).thenComparing(Condition::recorder));
    return List.copyOf(all.subList(0, Math.min(Condition.MOST, all.size())));
  }

  /** Writes what has changed; on the control loop's thread. */
  public void tell(RdsManager manager, Conditions table) {
    if (!manager.isConnected()) {
      return;
    }
    try {
      RdsManager.Identity identity = manager.identity();
      List<Condition> all = toTell(identity);
      if (all == null) {
        return;
      }
      manager.call(connection -> table.state(connection, manager.machine(), identity, all));
      statedOn = identity;
      statedAny = !all.isEmpty();
    } catch (DatabaseException notNow) {
      synchronized (this) {
        changed = true;
      }
      throw notNow;
    }
  }

  /** Null if the row says it already. Of a former session's row nobody believes anything. */
  private synchronized @Nullable List<Condition> toTell(RdsManager.Identity identity) {
    boolean isNew = !identity.equals(statedOn);
    if (!changed && !(isNew && !entries.isEmpty())) {
      return null;
    }
    changed = false;
    return entries.isEmpty() && (isNew || !statedAny) ? null : conditions();
  }
}
