package dev.recorder.lock.postgres;

import java.util.OptionalInt;

/**
 * Options of a row lock.
 *
 * @param queue within which ids are unique
 * @param retries how often a new row can be acquired, counted down to zero; empty without limit. An
 *     existing row keeps its own number
 */
public record RowOptions(String queue, OptionalInt retries) {
  /** The options with queue {@code default} and without limit. */
  public static final RowOptions DEFAULT =
      new RowOptions(RowName.DEFAULT_QUEUE, OptionalInt.empty());

  public RowOptions {
    if (retries.isPresent() && retries.getAsInt() < 0) {
      throw new IllegalArgumentException("retries = " + retries.getAsInt() + ", not 0 or more");
    }
  }

  public RowOptions inQueue(String other) {
    return new RowOptions(other, retries);
  }

  public RowOptions withRetries(int times) {
    return new RowOptions(queue, OptionalInt.of(times));
  }

  /** The parameter of a statement; null for no limit. */
  @org.jspecify.annotations.Nullable
  public Integer retriesOrNull() {
    return retries.isPresent() ? Integer.valueOf(retries.getAsInt()) : null;
  }
}
