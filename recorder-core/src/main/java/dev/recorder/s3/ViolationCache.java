package dev.recorder.s3;

import dev.recorder.s3.StoreProbes.Subject;
import dev.recorder.store.StoreGuarantee;
import dev.recorder.store.StoreViolations;
import dev.recorder.store.StoreViolations.Lost;
import dev.recorder.store.StoreViolations.None;
import dev.recorder.store.StoreViolations.Unknown;
import dev.recorder.store.StoreViolations.ViolationFinding;
import dev.recorder.time.Ticker;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The races that stores have lost. Races that this process has seen are kept until it ends. Races
 * that all hosts share are in {@link StoreViolations}. If an administrator deletes a race there, it
 * ceases to count. Not thread-safe.
 */
final class ViolationCache {
  /**
   * How long a read of the shared races is reused, since many recorders may ask at the same time.
   */
  private static final long FRESH_SECONDS = 1;

  private final Ticker ticker;

  /** By store and broken promise. */
  private final Map<Subject, SeenRace> seen = new HashMap<>();

  private final Map<Subject, RaceLook> looks = new HashMap<>();

  /**
   * A lost race.
   *
   * @param notNoted why the race could not be recorded for other hosts; empty if it was recorded
   */
  private record SeenRace(StoreProbe.Broken race, String notNoted) {
    String words() {
      String words =
          """
          %s; %s; it is not tested again before a restart: a store that lost one race is not \
          trusted because it wins the next\
          """
              .formatted(race.why(), race.remedy());
      return notNoted.isEmpty()
          ? words
          : words + "; no other host knows of it, nor does this one after a restart: " + notNoted;
    }
  }

  private record RaceLook(ViolationFinding finding, long at) {}

  ViolationCache(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Returns why the promise must not be relied on; empty if no broken promise is known.
   *
   * @param hasPassed whether the store has passed a test here; then the store stays usable while
   *     the shared races cannot be read
   */
  String against(Subject subject, boolean hasPassed, StoreViolations races) {
    ViolationFinding finding = look(subject, races);
    String own = own(subject, finding);
    if (finding instanceof Lost lost) {
      return lost.why();
    }
    return own.isEmpty() && !hasPassed && finding instanceof Unknown unknown ? unknown.why() : own;
  }

  /** Records a lost race, and returns why the store must not be used. */
  String lose(Subject subject, StoreProbe.Broken race, StoreViolations races) {
    seen.put(new Subject(subject.store(), race.promise()), new SeenRace(race, "not noted yet"));
    looks.keySet().removeIf(look -> look.store().equals(subject.store()));
    return against(subject, false, races);
  }

  private ViolationFinding look(Subject subject, StoreViolations races) {
    RaceLook last = looks.get(subject);
    if (last != null && ticker.nanos() - last.at() < TimeUnit.SECONDS.toNanos(FRESH_SECONDS)) {
      return last.finding();
    }
    seen.replaceAll(
        (key, race) ->
            key.store().equals(subject.store()) && !race.notNoted().isEmpty()
                ? new SeenRace(race.race(), races.note(key.promise(), race.race().why()))
                : race);
    ViolationFinding finding = races.find(subject.promise());
    looks.put(subject, new RaceLook(finding, ticker.nanos()));
    return finding;
  }

  /**
   * Returns the race that this process has seen; empty if there is none. Forgets recorded races
   * that were deleted.
   */
  private String own(Subject subject, ViolationFinding finding) {
    for (StoreGuarantee promise : StoreGuarantee.values()) {
      Subject key = new Subject(subject.store(), promise);
      @Nullable SeenRace race = promise.compareTo(subject.promise()) <= 0 ? seen.get(key) : null;
      if (race != null && race.notNoted().isEmpty() && finding instanceof None) {
        seen.remove(key);
      } else if (race != null) {
        return race.words();
      }
    }
    return "";
  }
}
