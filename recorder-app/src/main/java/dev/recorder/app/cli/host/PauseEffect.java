package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.operate.diagnosis.Activity;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.postgres.DatabaseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a pause means, and its end, for the hosts that are there: nobody does anything where none is
 * alive, and nobody knows how soon S3 takes what is begun. Pure.
 *
 * @param at the names of those that are at work; empty if none is
 * @param heldUp what the active host says is blocking it; null if it says nothing
 */
record PauseEffect(HostAvailability presence, String at, @Nullable String heldUp) {
  /** Who there is. */
  enum HostAvailability {
    /** A living host has the recorder, or works on its requests. */
    AT_WORK(
        "work in progress is finished; then nothing new is read or written",
        "is no longer paused; what waits is begun within two seconds on "),
    /** Some are alive and could. */
    READY(
        "no host is active for it at the moment; a host that takes it reads and writes nothing new",
        "is no longer paused; it goes on with the host that takes it, and none is active yet"),
    /** Those that are alive cannot. */
    UNABLE(
        "no living host is able to record or process it at the moment; it stays paused for hosts"
            + " that come",
        "is no longer paused, but no living host is able to go on with it: see 'recorder status'"),
    /** None is alive that has it. */
    GONE(
        "no host that has it is alive; it stays paused for hosts that start or come back",
        "is no longer paused, but no host that has it is alive: it goes on when one starts or comes"
            + " back"),
    /** The database has not said. */
    UNKNOWN(
        "work in progress is finished; then nothing new is read or written",
        "is no longer paused; what waits is begun within two seconds, if a host has it; which do"
            + " could not be seen");

    private final String whilePaused;
    private final String goesOn;

    HostAvailability(String whilePaused, String goesOn) {
      this.whilePaused = whilePaused;
      this.goesOn = goesOn;
    }
  }

  private PauseEffect(HostAvailability presence) {
    this(presence, "", null);
  }

  /** In a sentence. */
  String whilePaused() {
    return heldUp == null
        ? presence.whilePaused
        : "it is held up at the moment (%s): work in progress is finished once that is over; then nothing new is read or written"
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
  static PauseEffect of(CommandResources site, String name) {
    try {
      Diagnosis found = site.diagnosis(site.config().timing().takeoverAfter(), 0);
      Optional<RecorderFacts> recorder = found.facts().recorder(name);
      return recorder.isEmpty()
          ? new PauseEffect(HostAvailability.GONE)
          : of(found, recorder.get());
    } catch (DatabaseException notSaid) {
      return new PauseEffect(HostAvailability.UNKNOWN);
    }
  }

  static PauseEffect of(Diagnosis site, RecorderFacts recorder) {
    Activity activity = site.activity(recorder);
    if (activity.isHeld()) {
      return new PauseEffect(
          HostAvailability.AT_WORK, activity.names(), activity.blocked().orElse(null));
    } else if (!activity.able().isEmpty()) {
      return new PauseEffect(HostAvailability.READY);
    }
    boolean isThere = site.facts().living().stream().anyMatch(host -> host.has(recorder));
    return new PauseEffect(isThere ? HostAvailability.UNABLE : HostAvailability.GONE);
  }
}
