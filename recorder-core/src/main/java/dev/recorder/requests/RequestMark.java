package dev.recorder.requests;

/**
 * What a table says of a request by its id.
 *
 * @param digest as {@link Request#digest}; 0 where none of those that were asked for is open
 */
public record RequestMark(RequestStatus status, long digest) {
  /** Whether it may still take effect. */
  public boolean isOpen() {
    return status != RequestStatus.COMPLETE;
  }
}
