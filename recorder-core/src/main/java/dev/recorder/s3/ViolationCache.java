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
 * The races that stores have lost: those seen by this process, kept until it ends, and those that
 * all machines keep in {@link StoreViolations}. A race that was deleted there counts no longer: an
 * administrator has vouched for the store. Not thread-safe.
 */
final class ViolationCache {
  /** Many recorders may ask at the same time. */
  private static final long FRESH_SECONDS = 1;

  private final Ticker ticker;

  /** By store and broken promise. */
  private final Map<Subject, SeenRace> seen = new HashMap<>();

  private final Map<Subject, RaceLook> looks = new HashMap<>();

  /**
   * A lost race; {@code notNoted} says why it could not be recorded for other machines, empty if it
   * was.
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
   * Why the promise must not be relied on; empty if nothing is known against it.
   *
   * @param hasPassed whether the store has passed a test here: then a record that cannot be read
   *     does not exclude it
   */
  String against(Subject subject, boolean hasPassed, StoreViolations races) {
    ViolationFinding finding = look(subject, races);
    String own = own(subject, finding);
    if (finding instanceof Lost lost) {
      return lost.why();
    }
    return own.isEmpty() && !hasPassed && finding instanceof Unknown unknown ? unknown.why() : own;
  }

  /** Records a lost race; returns why the store must not be used. */
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

  /** The races that this process has seen, without recorded races that were deleted. */
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
