package dev.recorder.lock.postgres.tasks;

import java.util.Locale;

public enum TaskStatus {
  /** Not begun. */
  NEW,
  /** Owned by a capture, until its time is over. */
  IN_PROGRESS,
  DONE,
  FAILED,
  /** The owner did not set a status in time: it died or took too long. */
  TIMED_OUT;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The word in the table. */
  public String word() {
    return word;
  }

  /**
   * Returns the status with this word.
   *
   * @throws IllegalArgumentException if there is no such status
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
