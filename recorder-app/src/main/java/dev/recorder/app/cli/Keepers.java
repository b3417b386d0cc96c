package dev.recorder.app.cli;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.Facts;
import dev.recorder.operate.HostFacts;
import dev.recorder.operate.RecorderFacts;
import dev.recorder.operate.Standing;
import dev.recorder.operate.Standing.Actual;
import dev.recorder.postgres.DatabaseException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a pause means, and its end, for the hosts that are there: nobody does anything where none is
 * alive. Pure.
 */
enum Keepers {
  /** A living host has the recorder, or works on its requests. */
  AT_WORK(
      "what is under way is finished; then it reads and writes nothing new",
      "goes on within two seconds"),
  /** The one that has it is alive, and gets no further. */
  HELD_UP(
      "it is held up at the moment, as 'recorder status' says: what is under way is finished once that is over; then it reads and writes nothing new",
      "is paused no more, but it is held up, as 'recorder status' says: it goes on once that is over"),
  /** Some are alive and could. */
  READY(
      "no host is active for it at the moment; whoever takes it reads and writes nothing new",
      "is paused no more; it goes on with the host that takes it, and none is active yet"),
  /** Those that are alive cannot. */
  UNABLE(
      "no living host is able to record or process it at the moment; it stays paused for those to come",
      "is paused no more, but no living host is able to go on with it: see 'recorder status'"),
  /** None is alive that has it. */
  GONE(
      "no host that has it is alive; it stays paused for those that start or come back",
      "is paused no more, but no host that has it is alive: it goes on when one starts or comes back"),
  /** The database has not said. */
  UNKNOWN(
      "what is under way is finished; then it reads and writes nothing new",
      "goes on within two seconds, if a host has it; which do could not be seen");

  private final String whilePaused;
  private final String goesOn;

  Keepers(String whilePaused, String goesOn) {
    this.whilePaused = whilePaused;
    this.goesOn = goesOn;
  }

  /** In a sentence. */
  String whilePaused() {
    return whilePaused;
  }

  /** In a sentence without its subject. */
  String goesOn() {
    return goesOn;
  }

  /** Asks the database; what was done is done, whether it answers or not. */
  static Keepers of(CommandResources site, String name) {
    try {
      Facts facts = site.database().facts(site.config().timing().takeoverAfter(), 0);
      Optional<RecorderFacts> recorder = facts.recorder(name);
      return recorder.isEmpty() ? GONE : of(facts, recorder.get());
    } catch (DatabaseException notSaid) {
      return UNKNOWN;
    }
  }

  static Keepers of(Facts facts, RecorderFacts recorder) {
    List<HostFacts> living = facts.living().stream().filter(host -> host.has(recorder)).toList();
    List<Standing> standings =
        Standing.all(facts).stream()
            .filter(each -> each.recorder().equals(recorder) && living.contains(each.host()))
            .toList();
    if (standings.isEmpty()) {
      return GONE;
    }
    Set<Actual> actual = standings.stream().map(Standing::actual).collect(Collectors.toSet());
    if (standings.stream().anyMatch(Keepers::isHeldUp)) {
      return HELD_UP;
    } else if (!Collections.disjoint(actual, Set.of(Actual.ACTIVE, Actual.PAUSED, Actual.WORKS))) {
      return AT_WORK;
    }
    return actual.contains(Actual.STANDBY) ? READY : UNABLE;
  }

  /** Who is paused does not call itself stuck, and is held up all the same. */
  private static boolean isHeldUp(Standing standing) {
    HostFacts host = standing.host();
    RecorderFacts recorder = standing.recorder();
    return host.isStuck(recorder)
        || (host.isActive(recorder) && host.condition(recorder.name(), About.HELD_UP).isPresent());
  }
}
