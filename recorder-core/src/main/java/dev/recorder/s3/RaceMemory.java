package dev.recorder.s3;

import dev.recorder.s3.StoreProbes.Subject;
import dev.recorder.store.LostRaces;
import dev.recorder.store.LostRaces.Lost;
import dev.recorder.store.LostRaces.None;
import dev.recorder.store.LostRaces.RaceFinding;
import dev.recorder.store.LostRaces.Unknown;
import dev.recorder.store.Promise;
import dev.recorder.time.Ticker;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The races that stores have lost: what this process has seen itself, until it ends, and what all
 * machines keep in {@link LostRaces}. What was kept there and is gone was taken away by somebody
 * who answers for the store, and counts no more. Not thread-safe.
 */
final class RaceMemory {
  /** Many recorders may ask at once. */
  private static final long FRESH_SECONDS = 1;

  private final Ticker ticker;

  /** By store and the promise that it broke. */
  private final Map<Subject, SeenRace> seen = new HashMap<>();

  private final Map<Subject, RaceLook> looks = new HashMap<>();

  /** A race; {@code notNoted} is why the other machines do not know of it, empty if they do. */
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

  private record RaceLook(RaceFinding finding, long at) {}

  RaceMemory(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Why what is asked must not be expected of the store; empty if nothing is known. */
  String against(Subject subject, LostRaces races) {
    RaceFinding finding = look(subject, races);
    String own = own(subject, finding);
    if (finding instanceof Lost lost) {
      return lost.why();
    } else if (!own.isEmpty()) {
      return own;
    }
    return finding instanceof Unknown unknown ? unknown.why() : "";
  }

  /** The same of a store that has passed a test here: that nobody can say takes nothing away. */
  String againstPassed(Subject subject, LostRaces races) {
    RaceFinding finding = look(subject, races);
    String own = own(subject, finding);
    return finding instanceof Lost lost ? lost.why() : own;
  }

  /** Notes a race; why the store must not be used. */
  String lose(Subject subject, StoreProbe.Broken race, LostRaces races) {
    seen.put(new Subject(subject.store(), race.promise()), new SeenRace(race, "not noted yet"));
    looks.keySet().removeIf(look -> look.store().equals(subject.store()));
    return against(subject, races);
  }

  private RaceFinding look(Subject subject, LostRaces races) {
    RaceLook last = looks.get(subject);
    if (last != null && ticker.nanos() - last.at() < TimeUnit.SECONDS.toNanos(FRESH_SECONDS)) {
      return last.finding();
    }
    seen.replaceAll(
        (key, race) ->
            key.store().equals(subject.store()) && !race.notNoted().isEmpty()
                ? new SeenRace(race.race(), races.note(key.promise(), race.race().why()))
                : race);
    RaceFinding finding = races.find(subject.promise());
    looks.put(subject, new RaceLook(finding, ticker.nanos()));
    return finding;
  }

  /** What this process has seen, without noted races that were deleted. */
  private String own(Subject subject, RaceFinding finding) {
    for (Promise promise : Promise.values()) {
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
