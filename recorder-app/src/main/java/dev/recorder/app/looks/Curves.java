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
 * How long rows waited, and how many were recorded, in the last quarter of an hour: for each
 * recorder, and for all together. Thread-safe; times are a ticker's.
 */
public final class Curves {
  public static final Duration STEP = Duration.ofSeconds(10);

  /** What a look leaves unknown up to the one before is filled in, if that was not long ago. */
  private static final int MOST_FILLED = 30;

  private static final int ALL = 0;

  @GuardedBy("this")
  private final Map<Integer, Curve> lags = new HashMap<>();

  @GuardedBy("this")
  private final Map<Integer, Curve> rates = new HashMap<>();

  /** Up to where the curves are known; null if the last look failed. */
  @GuardedBy("this")
  private @Nullable Long known;

  /**
   * A pair of lines of the same length, the oldest value first; null where nothing is known.
   *
   * @param lag seconds that the oldest waiting row has waited, at most
   * @param rate rows recorded in a second, at most
   */
  public record Lines(List<@Nullable Double> lag, List<@Nullable Double> rate) {}

  /** Adds what a look has found. */
  synchronized void add(long now, SiteLook look) {
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
  private void addTo(long step, SiteLook look) {
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

  private static void put(Map<Integer, Curve> curves, int id, long step, double value) {
    curves.computeIfAbsent(id, any -> new Curve()).put(step, value);
  }

  /** A look has failed: from the last to the next that does not, nothing is known. */
  synchronized void interrupted() {
    known = null;
  }

  /** Of all recorders together. */
  public synchronized Lines all(long now) {
    return of(ALL, now);
  }

  /** Of one recorder. */
  public synchronized Lines of(int lockId, long now) {
    long step = step(now);
    return new Lines(
        lags.getOrDefault(lockId, new Curve()).upTo(step),
        rates.getOrDefault(lockId, new Curve()).upTo(step));
  }

  private static long step(long now) {
    return Math.floorDiv(now, STEP.toNanos());
  }
}
