package dev.recorder.app.logs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.Marker;

/**
 * The levels of single recorders. A line belongs to the recorder that it names, or else to the
 * recorder of its thread. Lines of other libraries are not affected, since at DEBUG they contain
 * all network traffic.
 */
final class RecorderLevels extends TurboFilter {
  private volatile Map<String, Level> levels = Map.of();

  /**
   * Sets the levels.
   *
   * @param levels the levels by recorder name
   */
  void use(Map<String, Level> levels) {
    this.levels = Map.copyOf(levels);
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] arguments,
      @Nullable Throwable failure) {
    Map<String, Level> of = levels;
    if (of.isEmpty() || !logger.getName().startsWith(LogOutput.OURS)) {
      return FilterReply.NEUTRAL;
    }
    String named = EventMarkers.recorder(marker, arguments);
    String recorder = named == null ? MDC.get("recorder") : named;
    Level from = recorder == null ? null : of.get(recorder);
    if (from == null) {
      return FilterReply.NEUTRAL;
    }
    return level.isGreaterOrEqual(from) ? FilterReply.ACCEPT : FilterReply.DENY;
  }
}
