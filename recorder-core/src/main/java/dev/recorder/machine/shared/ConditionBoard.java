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
 * The conditions of this host, such as problems and since when each recorder is ready, for
 * operators to read in the database. Changes are written on the control session. A recorder has one
 * sentence for each matter, and at most {@link Condition#MOST} conditions are written, so that the
 * row stays small. Recording does not depend on this; a failed write is tried again later.
 * Thread-safe.
 */
public final class ConditionBoard {
  static final int LONGEST = 600;

  private final Ticker ticker;

  @GuardedBy("this")
  private final Map<ConditionPlace, ConditionEntry> entries = new HashMap<>();

  @GuardedBy("this")
  private boolean changed;

  // Used by the control loop's thread only.
  private @Nullable Object statedOn;
  private boolean statedAny;

  private record ConditionPlace(String recorder, About about) {}

  private record ConditionEntry(String why, long since) {}

  ConditionBoard(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Sets the reason of a condition; null removes it. For any thread. */
  public void state(String recorder, About about, @Nullable String why) {
    state(recorder, about, why, Duration.ZERO);
  }

  /**
   * Sets the reason of a condition that began earlier; null removes it. For any thread.
   *
   * @param lasts how long the condition has lasted; a condition that is already set keeps its
   *     beginning
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

  /**
   * Sets the changes in the file that take effect after a restart, each a sentence; for any thread.
   */
  public void awaitsRestart(List<String> what) {
    state("", About.RESTART, what.isEmpty() ? null : String.join("; ", what));
  }

  /** Sets how ready a recorder is; null removes it. For any thread. */
  public void state(String recorder, @Nullable Readiness readiness) {
    Duration lasts = Duration.ofNanos(readiness == null ? 0 : ticker.nanos() - readiness.since());
    boolean isReady = readiness != null && readiness.isReady();
    boolean isRefused = readiness != null && readiness.isRefused();
    String why = readiness == null || isReady ? null : readiness.why();
    state(recorder, About.REFUSED, isRefused ? why : null, lasts);
    state(recorder, About.UNABLE, isRefused ? null : why, lasts);
    state(recorder, About.READY, isReady ? "" : null); // Since the end of the last term, if any.
  }

  /** Removes all conditions of a recorder; for any thread. */
  public void forget(String recorder) {
    for (About about : About.values()) {
      state(recorder, about, null);
    }
  }

  /** The conditions to write, the gravest first. */
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

  /** Writes the conditions if they have changed; on the control loop's thread. */
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

  /**
   * Returns the conditions to write; null if the row is up to date. The row of an earlier session
   * is ignored by readers.
   */
  private synchronized @Nullable List<Condition> toTell(RdsManager.Identity identity) {
    boolean isNew = !identity.equals(statedOn);
    if (!changed && !(isNew && !entries.isEmpty())) {
      return null;
    }
    changed = false;
    return entries.isEmpty() && (isNew || !statedAny) ? null : conditions();
  }
}
