package dev.recorder.simulation.time;

import java.util.List;
import java.util.SplittableRandom;

/** The only source of chance in a run. */
public final class Chance {
  private final SplittableRandom random;

  public Chance(long seed) {
    this(new SplittableRandom(seed));
  }

  private Chance(SplittableRandom random) {
    this.random = random;
  }

  /** A source of its own, so that how often one part draws does not change what another gets. */
  public Chance split() {
    return new Chance(random.split());
  }

  public boolean hit(double probability) {
    return random.nextDouble() < probability;
  }

  /** A number from 0 to {@code bound - 1}. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  public long between(long low, long high) {
    return low >= high ? low : random.nextLong(low, high);
  }

  public <T> T pick(List<T> choices) {
    return choices.get(below(choices.size()));
  }
}
