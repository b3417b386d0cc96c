package dev.recorder.requests;

import java.util.Locale;

/**
 * What has become of a request; the column {@code request_status}.
 *
 * <p>{@code IN_PROGRESS} is never seen: a unit's rows are locked, not marked, while they are worked
 * on, so that a crash has nothing to clear away.
 */
public enum RequestStatus {
  NEW,
  IN_PROGRESS,
  COMPLETE,
  ERROR;

  /** As in the table. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Reads what {@link #word()} gives. */
  public static RequestStatus of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Whether nothing more happens to the request by itself. */
  public boolean isSettled() {
    return this == COMPLETE || this == ERROR;
  }
}
