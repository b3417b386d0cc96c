package dev.recorder.simulation;

import java.util.function.Consumer;

/** Who waits for an answer takes the first that comes. */
final class OneAnswer<T> {
  private final Consumer<T> taker;
  private boolean given;

  OneAnswer(Consumer<T> taker) {
    this.taker = taker;
  }

  void give(T answer) {
    if (!given) {
      given = true;
      taker.accept(answer);
    }
  }
}
