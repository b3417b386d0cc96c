package dev.recorder.app.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a recorder's rows come from.
 *
 * @param interval how often the timer fires; null unless the source is the timer
 * @param captures tables whose changes come as well
 */
public record Feed(RowSource source, @Nullable Duration interval, List<CaptureSection> captures) {
  static final Setting<RowSource> SOURCE =
      Setting.word("source", RowSource.HANDOFF)
          .means(
              "Logs only. `timer`: while its host is active, a row `{\"tick\":n}` per"
                  + " `interval`, to try things out.");
  static final Setting<Duration> INTERVAL =
      Setting.durationIfAny("interval", "1s", "10ms", "24h")
          .means("For `source = timer`; else a warning.");
  static final Setting<CaptureTables> CAPTURE =
      new Setting<>("capture", CaptureTables.class, null, new CaptureTables.EachTableOnce())
          .takes("tables, with commas between")
          .means(
              "Tables whose [changes are captured](capture.md#in-the-file), quoted as in SQL; in"
                  + " schema `public` if they have none. The same on all hosts. Each has a section"
                  + " with `entity` if they ask for documents.");

  public Feed {
    captures = List.copyOf(captures);
    if ((source == RowSource.TIMER) != (interval != null)) {
      throw new IllegalArgumentException("a timer, and only a timer, has an interval");
    }
    if (interval != null) {
      INTERVAL.require(interval);
    }
  }

  Feed(RowSource source, @Nullable Duration interval) {
    this(source, interval, List.of());
  }

  /** The same with other captures. */
  Feed capturing(List<CaptureSection> other) {
    return new Feed(source, interval, other);
  }

  /** The tables among them; null if there are none. */
  @Nullable CaptureTables tables() {
    return captures.isEmpty()
        ? null
        : new CaptureTables(captures.stream().map(CaptureSection::table).toList());
  }
}
