package dev.recorder.testing.servers;

import dev.recorder.store.DocumentStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongPredicate;

/**
 * A bucket in memory that keeps every promise, for tests of what is not about S3. Thread-safe.
 *
 * <p>The ETag of an object is the MD5 of its bytes, as mostly with S3: it says nothing of metadata,
 * and what comes back to its old bytes has its old ETag.
 */
public final class MemoryStore implements DocumentStore {
  private final ConcurrentSkipListMap<String, Body> objects = new ConcurrentSkipListMap<>();
  private final boolean hasBucket;

  public MemoryStore() {
    this(true);
  }

  private MemoryStore(boolean hasBucket) {
    this.hasBucket = hasBucket;
  }

  /** A server on which the bucket does not exist. */
  public static MemoryStore withoutBucket() {
    return new MemoryStore(false);
  }

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    if (!hasBucket) {
      return noBucket(key);
    }
    Body object = new Body(body.clone(), Map.copyOf(metadata));
    return objects.putIfAbsent(key, object) == null ? new Created() : new AlreadyThere();
  }

  @Override
  public PutAnswer putIfMatch(String key, byte[] body, Map<String, String> metadata, String etag) {
    if (!hasBucket) {
      return noBucket(key);
    }
    Body object = new Body(body.clone(), Map.copyOf(metadata));
    Body before = objects.get(key);
    boolean isIt = before != null && etag(before.bytes()).equals(etag);
    return isIt && objects.replace(key, before, object) ? new Created() : new Changed();
  }

  @Override
  public HeadAnswer head(String key) {
    if (!hasBucket) {
      return noBucket(key);
    }
    Body object = objects.get(key);
    return object == null ? new Absent() : new Present(object.metadata());
  }

  @Override
  public GetAnswer get(String key) {
    if (!hasBucket) {
      return noBucket(key);
    }
    Body object = objects.get(key);
    return object == null ? new Absent() : new Body(object.bytes().clone(), object.metadata());
  }

  @Override
  public FetchAnswer fetch(String key, LongPredicate mayRead) {
    if (!hasBucket) {
      return noBucket(key);
    }
    Body object = objects.get(key);
    if (object != null && !mayRead.test(object.bytes().length)) {
      return new NotRead(object.bytes().length, object.metadata(), etag(object.bytes()));
    }
    return object == null
        ? new Absent()
        : new Fetched(object.bytes().clone(), object.metadata(), etag(object.bytes()));
  }

  /** Everything in it, by key. */
  public NavigableMap<String, Body> objects() {
    return new TreeMap<>(objects);
  }

  /** Removes an object: what the product never does, and a test of that case has to. */
  public void delete(String key) {
    objects.remove(key);
  }

  /** Replaces an object without a condition: what the product never does. */
  public void overwrite(String key, byte[] body, Map<String, String> metadata) {
    objects.put(key, new Body(body.clone(), Map.copyOf(metadata)));
  }

  private static String etag(byte[] body) {
    try {
      return '"' + HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(body)) + '"';
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JVM has MD5", impossible);
    }
  }

  private static Unclear noBucket(String key) {
    return new Unclear(key + ": no such bucket", false);
  }
}
