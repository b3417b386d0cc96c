package dev.recorder.simulation;

import java.util.List;
import java.util.SplittableRandom;

/** The only source of chance in a run. */
final class Chance {
  private final SplittableRandom random;

  Chance(long seed) {
    this(new SplittableRandom(seed));
  }

  private Chance(SplittableRandom random) {
    this.random = random;
  }

  /** A source of its own, so that how often one part draws does not change what another gets. */
  Chance split() {
    return new Chance(random.split());
  }

  boolean hit(double probability) {
    return random.nextDouble() < probability;
  }

  /** A number from 0 to {@code bound - 1}. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  long between(long low, long high) {
    return low >= high ? low : random.nextLong(low, high);
  }

  <T> T pick(List<T> choices) {
    return choices.get(below(choices.size()));
  }
}
