package dev.recorder.app.looks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last {@value #STEPS} values of a metric, one for each step of time. Not thread-safe. */
public final class TimeSeries {
  public static final int STEPS = 90;

  private final float[] values = new float[STEPS];

  /** The step after the last one with a value. */
  private long end;

  TimeSeries() {
    Arrays.fill(values, Float.NaN);
  }

  /** Sets the value of a step. If a step is set more than once, its largest value counts. */
  void put(long step, double value) {
    if (step >= end) {
      forgetUpTo(step + 1);
    }
    if (step >= end - STEPS) {
      int place = place(step);
      values[place] = (float) (Float.isNaN(values[place]) ? value : Math.max(values[place], value));
    }
  }

  private void forgetUpTo(long newEnd) {
    for (long step = Math.max(end, newEnd - STEPS); step < newEnd; step++) {
      values[place(step)] = Float.NaN;
    }
    end = newEnd;
  }

  /** Returns the values up to this step, the oldest first; null where unknown. */
  List<@Nullable Double> upTo(long last) {
    List<@Nullable Double> read = new ArrayList<>(STEPS);
    for (long step = last - STEPS + 1; step <= last; step++) {
      boolean kept = step < end && step >= end - STEPS;
      float value = kept ? values[place(step)] : Float.NaN;
      read.add(Float.isNaN(value) ? null : rounded(value));
    }
    return read;
  }

  /** Rounds to about three digits, enough for a curve. */
  private static double rounded(float value) {
    return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100.0;
  }

  private static int place(long step) {
    return Math.floorMod(step, STEPS);
  }
}
