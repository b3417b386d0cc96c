package dev.recorder.app.looks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.operate.site.RecorderFacts;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The delay and the rate of recording in the last quarter of an hour, for each recorder and for all
 * together. Thread-safe. Times are a ticker's.
 */
public final class SiteTimeSeries {
  public static final Duration STEP = Duration.ofSeconds(10);

  /** The most steps since the last sample that a sample also sets. */
  private static final int MOST_FILLED = 30;

  private static final int ALL = 0;

  @GuardedBy("this")
  private final Map<Integer, TimeSeries> lags = new HashMap<>();

  @GuardedBy("this")
  private final Map<Integer, TimeSeries> rates = new HashMap<>();

  /** The step of the last sample; null if the last sample failed. */
  @GuardedBy("this")
  private @Nullable Long known;

  /**
   * Two curves of the same length, the oldest value first; null where unknown.
   *
   * @param lag the longest wait of a row in each step, in seconds
   * @param rate the highest rate in each step, in rows per second
   */
  public record Lines(List<@Nullable Double> lag, List<@Nullable Double> rate) {}

  /** Adds a sample. */
  synchronized void add(long now, SiteSample look) {
    long step = step(now);
    long from = known == null || step - known > MOST_FILLED ? step : Math.min(step, known + 1);
    for (long each = from; each <= step; each++) {
      addTo(each, look);
    }
    known = step;
    var there = look.facts().recorders().stream().map(RecorderFacts::lockId);
    var ids = there.collect(Collectors.toSet());
    ids.add(ALL);
    lags.keySet().retainAll(ids);
    rates.keySet().retainAll(ids);
  }

  @GuardedBy("this")
  private void addTo(long step, SiteSample look) {
    double longest = 0;
    double sum = 0;
    for (RecorderFacts recorder : look.facts().recorders()) {
      Double lag = look.lagSeconds(recorder);
      Double rate = look.rates().get(recorder.lockId());
      if (lag != null) {
        put(lags, recorder.lockId(), step, lag);
        longest = Math.max(longest, lag);
      }
      if (rate != null) {
        put(rates, recorder.lockId(), step, rate);
        sum += rate;
      }
    }
    put(lags, ALL, step, longest);
    if (!look.rates().isEmpty()) {
      put(rates, ALL, step, sum);
    }
  }

  private static void put(Map<Integer, TimeSeries> curves, int id, long step, double value) {
    curves.computeIfAbsent(id, any -> new TimeSeries()).put(step, value);
  }

  /** Notes that a sample failed: the curves are unknown until the next sample. */
  synchronized void interrupted() {
    known = null;
  }

  /** Returns the curves of all recorders together. */
  public synchronized Lines all(long now) {
    return of(ALL, now);
  }

  public synchronized Lines of(int lockId, long now) {
    long step = step(now);
    return new Lines(
        lags.getOrDefault(lockId, new TimeSeries()).upTo(step),
        rates.getOrDefault(lockId, new TimeSeries()).upTo(step));
  }

  private static long step(long now) {
    return Math.floorDiv(now, STEP.toNanos());
  }
}
