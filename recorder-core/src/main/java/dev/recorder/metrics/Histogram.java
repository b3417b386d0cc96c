package dev.recorder.metrics;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Counts durations in a few buckets with fixed bounds. Thread-safe. */
public final class Histogram {
  /** The most buckets. Each bucket is a series for each recorder. */
  static final int MOST_BUCKETS = 12;

  private static final double NANOS = 1e9;

  private final List<Double> bounds;
  private final AtomicLongArray counts;
  private final LongAdder nanos = new LongAdder();

  /**
   * The counts at one moment.
   *
   * @param bounds upper bounds of all buckets but the last, in seconds
   * @param counts the count of each bucket, not cumulative; one more than bounds
   */
  public record HistogramReading(List<Double> bounds, List<Long> counts, double sumSeconds) {
    public HistogramReading {
      bounds = List.copyOf(bounds);
      counts = List.copyOf(counts);
    }
  }

  /**
   * Makes a histogram with these upper bounds in seconds, and a last bucket for longer durations.
   */
  Histogram(Double... bounds) {
    this.bounds = List.of(bounds);
    if (bounds.length >= MOST_BUCKETS) {
      throw new IllegalArgumentException("more than " + MOST_BUCKETS + " buckets");
    }
    this.counts = new AtomicLongArray(bounds.length + 1);
  }

  public void add(long tookNanos) {
    long took = Math.max(0, tookNanos);
    int bucket = 0;
    while (bucket < bounds.size() && took > bounds.get(bucket) * NANOS) {
      bucket++;
    }
    counts.incrementAndGet(bucket);
    nanos.add(took);
  }

  public HistogramReading read() {
    List<Long> read = IntStream.range(0, counts.length()).mapToObj(counts::get).toList();
    return new HistogramReading(bounds, read, nanos.sum() / NANOS);
  }
}
