package dev.recorder.metrics;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters by label. All labels are given at the start and begin at 0, because a series that begins
 * at 1 shows no increase. Thread-safe.
 */
public final class CountsByLabel {
  private final Map<String, LongAdder> counts = new TreeMap<>();

  CountsByLabel(Collection<String> known) {
    known.forEach(what -> counts.put(what, new LongAdder()));
  }

  /**
   * Adds one.
   *
   * @throws IllegalArgumentException if the label is not known
   */
  public void add(String what) {
    add(what, 1);
  }

  public void add(String what, long times) {
    LongAdder count = counts.get(what);
    if (count == null) {
      throw new IllegalArgumentException("not known from the start: " + what);
    }
    count.add(times);
  }

  public Map<String, Long> read() {
    Map<String, Long> read = new LinkedHashMap<>();
    counts.forEach((what, count) -> read.put(what, count.sum()));
    return read;
  }
}
