package dev.recorder.simulation.time;

import java.util.function.Consumer;

/** Who waits for an answer takes the first that comes. */
public final class OneAnswer<T> {
  private final Consumer<T> taker;
  private boolean given;

  public OneAnswer(Consumer<T> taker) {
    this.taker = taker;
  }

  public void give(T answer) {
    if (!given) {
      given = true;
      taker.accept(answer);
    }
  }
}
