package dev.recorder.requests;

/** What a {@link RequestHandler} says of a unit; it holds for each of its requests. */
public sealed interface Outcome {

  /** Done. */
  record Complete() implements Outcome {}

  /**
   * Cannot be done, and trying again would not help.
   *
   * @param why for the column {@code error_text}; no secrets
   */
  record Failed(String why) implements Outcome {}

  /**
   * Not done now; to be tried again after a while, at most {@code max_attempts} times.
   *
   * @param why kept in {@code error_text} too
   */
  record Retry(String why) implements Outcome {}
}
