package dev.recorder.store;

import java.util.Map;
import java.util.function.LongPredicate;

/**
 * Port: one bucket whose objects are rewritten, each time on the condition that it is still the
 * version that was read. Otherwise as {@link ObjectStore}.
 */
public interface DocumentStore extends ObjectStore {

  /**
   * Reads {@code key} wholly into memory, with the version to name in {@link #putIfMatch}.
   *
   * @param mayRead asked with the object's size, in bytes, before it is read
   */
  FetchAnswer fetch(String key, LongPredicate mayRead);

  /** The same, however large it is. */
  default FetchAnswer fetch(String key) {
    return fetch(key, bytes -> true);
  }

  /**
   * Replaces the object under {@code key} only if it is still the version with this {@code etag}
   * ({@code If-Match}). An ETag is often no more than the MD5 of the bytes: whoever must not take a
   * later version for an equal one has to make every version's bytes differ.
   */
  PutAnswer putIfMatch(String key, byte[] body, Map<String, String> metadata, String etag);
}
