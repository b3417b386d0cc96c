package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.operate.diagnosis.Activity;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.postgres.DatabaseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a pause and of its end, which depends on the hosts that are alive. Pure.
 *
 * @param presence whether hosts are alive and able
 * @param at the names of the hosts that work on the recorder; empty if there are none
 * @param heldUp why the active host is blocked; null if it is not
 */
record PauseConsequence(HostAvailability presence, String at, @Nullable String heldUp) {
  enum HostAvailability {
    /** A living host is active for the log, or works on the requests. */
    AT_WORK(
        "work in progress is finished; then nothing new is read or written",
        "is no longer paused; waiting work begins within two seconds on "),
    /** Living hosts are able, but no host is active. */
    READY(
        "no host is active for it at the moment; a host that takes it reads and writes nothing new",
        "is no longer paused; it continues on the host that takes it, and none is active yet"),
    /** Living hosts have the recorder, but none of them is able. */
    UNABLE(
        "no living host is able to record or process it at the moment; it stays paused for hosts"
            + " that come",
        "is no longer paused, but no living host is able to continue it: see 'recorder status'"),
    /** No living host has the recorder. */
    GONE(
        "no host that has it is alive; it stays paused for hosts that start or come back",
        "is no longer paused, but no host that has it is alive: it continues when one starts or comes"
            + " back"),
    /** The database did not answer. */
    UNKNOWN(
        "work in progress is finished; then nothing new is read or written",
        "is no longer paused; waiting work begins within two seconds, if a host has it; which do"
            + " could not be seen");

    private final String whilePaused;
    private final String goesOn;

    HostAvailability(String whilePaused, String goesOn) {
      this.whilePaused = whilePaused;
      this.goesOn = goesOn;
    }
  }

  private PauseConsequence(HostAvailability presence) {
    this(presence, "", null);
  }

  /** Returns the effect of the pause, as a sentence. */
  String whilePaused() {
    return heldUp == null
        ? presence.whilePaused
        : "it is held up at the moment (%s): work in progress is finished once that is over; then nothing new is read or written"
            .formatted(heldUp);
  }

  /** Returns the effect of the end of the pause, as a sentence without a subject. */
  String goesOn() {
    return heldUp == null
        ? presence.goesOn + at
        : "is no longer paused, but it is held up on %s, and continues after that: %s"
            .formatted(at, heldUp);
  }

  /**
   * Asks the database for the hosts. The pause is already set or ended, even if the database does
   * not answer.
   */
  static PauseConsequence of(CommandResources site, String name) {
    try {
      Diagnosis found = site.diagnosis(site.config().timing().takeoverAfter(), 0);
      Optional<RecorderFacts> recorder = found.facts().recorder(name);
      return recorder.isEmpty()
          ? new PauseConsequence(HostAvailability.GONE)
          : of(found, recorder.get());
    } catch (DatabaseException notSaid) {
      return new PauseConsequence(HostAvailability.UNKNOWN);
    }
  }

  static PauseConsequence of(Diagnosis site, RecorderFacts recorder) {
    Activity activity = site.activity(recorder);
    if (activity.isHeld()) {
      return new PauseConsequence(
          HostAvailability.AT_WORK, activity.names(), activity.blocked().orElse(null));
    } else if (!activity.able().isEmpty()) {
      return new PauseConsequence(HostAvailability.READY);
    }
    boolean isThere = site.facts().living().stream().anyMatch(host -> host.has(recorder));
    return new PauseConsequence(isThere ? HostAvailability.UNABLE : HostAvailability.GONE);
  }
}
