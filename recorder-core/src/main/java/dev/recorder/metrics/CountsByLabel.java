package dev.recorder.metrics;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often each of some things happened. What can happen is known from the start, and begins at 0:
 * a series that begins with 1 has no increase. Thread-safe.
 */
public final class CountsByLabel {
  private final Map<String, LongAdder> counts = new TreeMap<>();

  CountsByLabel(Collection<String> known) {
    known.forEach(what -> counts.put(what, new LongAdder()));
  }

  /**
   * It happened once more.
   *
   * @throws IllegalArgumentException if nobody knew that it can happen
   */
  public void add(String what) {
    add(what, 1);
  }

  /** As {@link #add(String)}, so many times. */
  public void add(String what, long times) {
    LongAdder count = counts.get(what);
    if (count == null) {
      throw new IllegalArgumentException("not known from the start: " + what);
    }
    count.add(times);
  }

  /** How often, by what. */
  public Map<String, Long> read() {
    Map<String, Long> read = new LinkedHashMap<>();
    counts.forEach((what, count) -> read.put(what, count.sum()));
    return read;
  }
}
