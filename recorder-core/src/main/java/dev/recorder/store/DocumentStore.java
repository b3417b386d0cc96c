package dev.recorder.store;

import java.util.Map;
import java.util.function.LongPredicate;

/**
 * Port: a bucket whose objects are rewritten. Each PUT has the condition that the object still has
 * the version that was read. In all else the port is as {@link ObjectStore}.
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
   * If-Match}). An ETag is often only the MD5 of the bytes, so the caller must make every version's
   * bytes differ.
   */
  PutAnswer putIfMatch(String key, byte[] body, Map<String, String> metadata, String etag);
}
