package dev.recorder.requests;

/**
 * The state of a request in its table.
 *
 * @param digest as {@link Request#digest}; 0 if none of the requested requests is open
 */
public record RequestMark(RequestStatus status, long digest) {
  /** Whether it may still take effect. */
  public boolean isOpen() {
    return status != RequestStatus.COMPLETE;
  }
}
