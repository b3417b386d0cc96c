package dev.recorder.requests.document;

import java.util.List;
import java.util.SplittableRandom;

/** The only source of chance in a run. */
final class Chance {
  private final SplittableRandom random;

  Chance(long seed) {
    random = new SplittableRandom(seed);
  }

  boolean hit(double probability) {
    return random.nextDouble() < probability;
  }

  /** A number from 0 to {@code bound - 1}. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  long random() {
    return random.nextLong();
  }

  <T> T pick(List<T> choices) {
    return choices.get(below(choices.size()));
  }
}
