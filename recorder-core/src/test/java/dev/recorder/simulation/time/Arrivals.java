package dev.recorder.simulation.time;

/** What is sent on one connection arrives in order, however late. */
public final class Arrivals {
  private long latest;

  /** How long after {@code now} arrives what would take {@code delay} by itself. */
  public long next(long now, long delay) {
    latest = Math.max(latest + 1, now + delay);
    return latest - now;
  }
}
