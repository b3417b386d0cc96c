package dev.recorder.machine.term;

import dev.recorder.audit.Progress;
import dev.recorder.audit.objects.UnfinishedException;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The pace of a verification. It works for a quarter of the time, to save processor, database and
 * store, and ends between two objects or page ranges when it must stop. Also says how often to look
 * whether a verification is due. For one thread, on which it sleeps.
 */
final class AuditPace implements Progress {
  static final int RESTS = 3;

  /** The longest rest. Steps of more than a few seconds were mostly waiting, not work. */
  static final Duration LONGEST_REST = Duration.ofSeconds(3);

  private static final Duration RAREST_LOOK = Duration.ofMinutes(1);
  private static final Duration SOONEST_LOOK = Duration.ofSeconds(1);
  private static final int LOOKS = 10;

  private final BooleanSupplier goesOn;
  private final Ticker ticker;
  private long since;

  /** Creates the pace of a verification that begins now. */
  AuditPace(BooleanSupplier goesOn, Ticker ticker) {
    this.goesOn = goesOn;
    this.ticker = ticker;
    this.since = ticker.nanos();
  }

  /** Returns how long to rest after this much work. */
  static Duration rest(Duration worked) {
    Duration rest = worked.multipliedBy(RESTS);
    return rest.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest;
  }

  /** Returns the interval of looks: one minute, or less if the log is verified more often. */
  static Duration lookEvery(Duration every) {
    Duration looks = every.dividedBy(LOOKS);
    return looks.compareTo(RAREST_LOOK) > 0
        ? RAREST_LOOK
        : looks.compareTo(SOONEST_LOOK) < 0 ? SOONEST_LOOK : looks;
  }

  @Override
  public void slots(long done, long slots, long rows) {
    step();
  }

  @Override
  public void pages(long done, long pages, long rows) {
    step();
  }

  private void step() {
    try {
      if (goesOn.getAsBoolean()) {
        Pause.sleep(rest(Duration.ofNanos(ticker.nanos() - since)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!goesOn.getAsBoolean() || Thread.currentThread().isInterrupted()) {
      throw new UnfinishedException("it was interrupted");
    }
    since = ticker.nanos();
  }
}
