package dev.recorder.lock;

import dev.recorder.lock.Loss.Cause;
import java.time.Duration;
import java.util.Optional;

/**
 * What a kind says of a harm: how a holder is told of its loss, and how soon at the latest, counted
 * from when it is done; or that its lease outlives it.
 *
 * @param within zero if it is no loss
 * @param isDoubtedBefore whether the lease is in doubt before it is lost
 */
record StatedLoss(Harm harm, Optional<Cause> cause, Duration within, boolean isDoubtedBefore) {
  static StatedLoss lost(Harm harm, Cause cause, Duration within) {
    return new StatedLoss(harm, Optional.of(cause), within, false);
  }

  /** Nobody answers, and so it is in doubt until it is lost. */
  static StatedLoss doubted(Harm harm, Cause cause, Duration within) {
    return new StatedLoss(harm, Optional.of(cause), within, true);
  }

  static StatedLoss kept(Harm harm) {
    return new StatedLoss(harm, Optional.empty(), Duration.ZERO, false);
  }

  /**
   * What a test lets pass: a busy host takes its time. The figures that it prints are to be
   * compared with what is stated, on a host that has nothing else to do.
   */
  Duration allowed() {
    return within.plusSeconds(30);
  }

  @Override
  public String toString() {
    return "when "
        + harm
        + ": "
        + cause
            .map(how -> how + " within " + within.toMillis() + " ms")
            .orElse("held all the same");
  }
}
