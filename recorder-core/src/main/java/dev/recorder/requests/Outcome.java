package dev.recorder.requests;

/** The result of a {@link RequestHandler} for a unit; it applies to each of its requests. */
public sealed interface Outcome {

  record Complete() implements Outcome {}

  /**
   * Trying again would not help.
   *
   * @param why for the column {@code error_text}; no secrets
   */
  record Failed(String why) implements Outcome {}

  /**
   * To be tried again after a pause, at most {@code max_attempts} times.
   *
   * @param why also kept in {@code error_text}
   */
  record Retry(String why) implements Outcome {}
}
