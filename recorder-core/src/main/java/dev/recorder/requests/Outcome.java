package dev.recorder.requests;

/** The result of a {@link RequestHandler} for a unit; it applies to each of its requests. */
public sealed interface Outcome {

  record Complete() implements Outcome {}

  /**
   * The requests failed; another attempt would not help.
   *
   * @param why the reason, for the column {@code error_text}; must contain no secrets
   */
  record Failed(String why) implements Outcome {}

  /**
   * The requests are tried again after a pause, at most {@code max_attempts} times.
   *
   * @param why the reason, also kept in {@code error_text}
   */
  record Retry(String why) implements Outcome {}
}
