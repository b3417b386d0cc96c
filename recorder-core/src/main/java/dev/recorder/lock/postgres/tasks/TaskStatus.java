package dev.recorder.lock.postgres.tasks;

import java.util.Locale;

/** Where a task is. */
public enum TaskStatus {
  /** Nobody has worked on it. */
  NEW,
  /** Somebody has it, until their time is over. */
  IN_PROGRESS,
  DONE,
  FAILED,
  /** Its owner's time was over before they were done: they died, or took too long. */
  TIMED_OUT;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** As the table has it. */
  public String word() {
    return word;
  }

  /**
   * Of the word.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static TaskStatus of(String word) {
    for (TaskStatus status : values()) {
      if (status.word.equals(word)) {
        return status;
      }
    }
    throw new IllegalArgumentException(
        "'" + word + "' is not new, in_progress, done, failed or timed_out");
  }
}
