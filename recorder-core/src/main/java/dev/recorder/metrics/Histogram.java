package dev.recorder.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** How often something took how long, in few buckets with fixed bounds. Thread-safe. */
public final class Histogram {
  /** Each bucket is a series, of each recorder. */
  static final int MOST_BUCKETS = 12;

  private static final double NANOS = 1e9;

  private final List<Double> bounds;
  private final AtomicLongArray counts;
  private final LongAdder nanos = new LongAdder();

  /**
   * A moment's figures.
   *
   * @param bounds upper bounds of all buckets but the last, in seconds
   * @param counts of each bucket by itself, one more than bounds
   */
  public record HistogramReading(List<Double> bounds, List<Long> counts, double sumSeconds) {
    public HistogramReading {
      bounds = List.copyOf(bounds);
      counts = List.copyOf(counts);
    }
  }

  /** With these upper bounds in seconds, and a bucket for what is above. */
  Histogram(Double... bounds) {
    this.bounds = List.of(bounds);
    if (bounds.length >= MOST_BUCKETS) {
      throw new IllegalArgumentException("more than " + MOST_BUCKETS + " buckets");
    }
    this.counts = new AtomicLongArray(bounds.length + 1);
  }

  /** Notes something that took so long. */
  public void add(long tookNanos) {
    long took = Math.max(0, tookNanos);
    int bucket = 0;
    while (bucket < bounds.size() && took > bounds.get(bucket) * NANOS) {
      bucket++;
    }
    counts.incrementAndGet(bucket);
    nanos.add(took);
  }

  /** What has been noted so far. */
  public HistogramReading read() {
    List<Long> read = new ArrayList<>();
    for (int i = 0; i < counts.length(); i++) {
      read.add(counts.get(i));
    }
    return new HistogramReading(bounds, read, nanos.sum() / NANOS);
  }
}
