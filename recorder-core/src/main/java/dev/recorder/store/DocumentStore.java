package dev.recorder.store;

import java.util.Map;
import java.util.function.LongPredicate;

/**
 * Port: a bucket whose objects are rewritten, each time on condition that the version that was read
 * is still there. Otherwise as {@link ObjectStore}.
 */
public interface DocumentStore extends ObjectStore {

  /**
   * Reads {@code key} into memory, with the version to pass to {@link #putIfMatch}.
   *
   * @param mayRead asked with the object's size in bytes before it is read
   */
  FetchAnswer fetch(String key, LongPredicate mayRead);

  /** As {@link #fetch(String, LongPredicate)}, whatever the size. */
  default FetchAnswer fetch(String key) {
    return fetch(key, bytes -> true);
  }

  /**
   * Replaces the object under {@code key} only if its version still has this {@code etag} ({@code
   * If-Match}). An ETag is often only the MD5 of the bytes: to tell a later version from an earlier
   * one the caller must make the bytes of every version differ.
   */
  PutAnswer putIfMatch(String key, byte[] body, Map<String, String> metadata, String etag);
}
