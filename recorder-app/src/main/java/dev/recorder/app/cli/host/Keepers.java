package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.Facts;
import dev.recorder.operate.HostFacts;
import dev.recorder.operate.RecorderFacts;
import dev.recorder.operate.Standing;
import dev.recorder.operate.Standing.Actual;
import dev.recorder.postgres.DatabaseException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a pause means, and its end, for the hosts that are there: nobody does anything where none is
 * alive, and nobody knows how soon S3 takes what is begun. Pure.
 *
 * @param at the names of those that are at work; empty if none is
 * @param heldUp what the active host says is blocking it; null if it says nothing
 */
record Keepers(KeeperPresence presence, String at, @Nullable String heldUp) {
  private static final Set<Actual> WORKING =
      EnumSet.of(Actual.ACTIVE, Actual.PAUSED, Actual.STUCK, Actual.WORKS);

  /** Who there is. */
  enum KeeperPresence {
    /** A living host has the recorder, or works on its requests. */
    AT_WORK(
        "what is under way is finished; then it reads and writes nothing new",
        "is no longer paused; what waits is begun within two seconds on "),
    /** Some are alive and could. */
    READY(
        "no host is active for it at the moment; whoever takes it reads and writes nothing new",
        "is no longer paused; it goes on with the host that takes it, and none is active yet"),
    /** Those that are alive cannot. */
    UNABLE(
        "no living host is able to record or process it at the moment; it stays paused for those to come",
        "is no longer paused, but no living host is able to go on with it: see 'recorder status'"),
    /** None is alive that has it. */
    GONE(
        "no host that has it is alive; it stays paused for those that start or come back",
        "is no longer paused, but no host that has it is alive: it goes on when one starts or comes back"),
    /** The database has not said. */
    UNKNOWN(
        "what is under way is finished; then it reads and writes nothing new",
        "is no longer paused; what waits is begun within two seconds, if a host has it; which do could not be seen");

    private final String whilePaused;
    private final String goesOn;

    KeeperPresence(String whilePaused, String goesOn) {
      this.whilePaused = whilePaused;
      this.goesOn = goesOn;
    }
  }

  private Keepers(KeeperPresence presence) {
    this(presence, "", null);
  }

  /** In a sentence. */
  String whilePaused() {
    return heldUp == null
        ? presence.whilePaused
        : "it is held up at the moment (%s): what is under way is finished once that is over; then it reads and writes nothing new"
            .formatted(heldUp);
  }

  /** In a sentence without its subject. */
  String goesOn() {
    return heldUp == null
        ? presence.goesOn + at
        : "is no longer paused, but it is held up on %s, and goes on once that is over: %s"
            .formatted(at, heldUp);
  }

  /** Asks the database; what was done is done, whether it answers or not. */
  static Keepers of(CommandResources site, String name) {
    try {
      Facts facts = site.database().facts(site.config().timing().takeoverAfter(), 0);
      Optional<RecorderFacts> recorder = facts.recorder(name);
      return recorder.isEmpty() ? new Keepers(KeeperPresence.GONE) : of(facts, recorder.get());
    } catch (DatabaseException notSaid) {
      return new Keepers(KeeperPresence.UNKNOWN);
    }
  }

  static Keepers of(Facts facts, RecorderFacts recorder) {
    List<HostFacts> living = facts.living().stream().filter(host -> host.has(recorder)).toList();
    List<Standing> standings =
        Standing.all(facts).stream()
            .filter(each -> each.recorder().equals(recorder) && living.contains(each.host()))
            .toList();
    if (standings.isEmpty()) {
      return new Keepers(KeeperPresence.GONE);
    }
    List<HostFacts> atWork =
        standings.stream()
            .filter(each -> WORKING.contains(each.actual()))
            .map(Standing::host)
            .toList();
    if (!atWork.isEmpty()) {
      return new Keepers(KeeperPresence.AT_WORK, names(atWork), heldUp(recorder, atWork));
    }
    boolean ready = standings.stream().anyMatch(each -> each.actual() == Actual.STANDBY);
    return new Keepers(ready ? KeeperPresence.READY : KeeperPresence.UNABLE);
  }

  private static String names(List<HostFacts> hosts) {
    return hosts.stream().map(HostFacts::name).collect(Collectors.joining(", "));
  }

  /** A paused host does not call itself stuck, and is held up all the same. */
  private static @Nullable String heldUp(RecorderFacts recorder, List<HostFacts> atWork) {
    Optional<String> why =
        atWork.stream()
            .flatMap(host -> host.condition(recorder.name(), About.HELD_UP).stream())
            .map(Condition::why)
            .findFirst();
    boolean isStuck = atWork.stream().anyMatch(host -> host.isStuck(recorder));
    return why.orElse(isStuck ? "it is stuck; see 'recorder status'" : null);
  }
}
