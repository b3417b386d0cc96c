package dev.recorder.app.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a recorder's rows come from.
 *
 * @param interval how often the timer fires; null unless the source is the timer
 */
public record Feed(RowSource source, @Nullable Duration interval) {
  static final Setting<RowSource> SOURCE =
      Setting.word("source", RowSource.HANDOFF)
          .means(
              "Logs only. `timer`: while its machine is active, a row `{\"tick\":n}` per"
                  + " `interval`, to try things out.");
  static final Setting<Duration> INTERVAL =
      Setting.durationIfAny("interval", "1s", "10ms", "24h")
          .means("For `source = timer`; else a warning.");

  public Feed {
    if ((source == RowSource.TIMER) != (interval != null)) {
      throw new IllegalArgumentException("a timer, and only a timer, has an interval");
    }
    if (interval != null) {
      INTERVAL.require(interval);
    }
  }
}
