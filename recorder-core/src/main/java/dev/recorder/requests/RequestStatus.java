package dev.recorder.requests;

import java.util.Locale;

/**
 * The state of a request; the column {@code request_status}.
 *
 * <p>{@code IN_PROGRESS} is never visible: the rows of a unit are locked, not marked, so a crash
 * leaves nothing behind.
 */
public enum RequestStatus {
  NEW,
  IN_PROGRESS,
  COMPLETE,
  ERROR;

  /** The word in the table. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The inverse of {@link #word()}. */
  public static RequestStatus of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Whether the request is final unless an operator intervenes. */
  public boolean isSettled() {
    return this == COMPLETE || this == ERROR;
  }
}
