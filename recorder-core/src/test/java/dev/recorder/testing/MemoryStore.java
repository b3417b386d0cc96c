package dev.recorder.testing;

import dev.recorder.store.ObjectStore;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A bucket in memory that keeps every promise, for tests of what is not about S3. Thread-safe. */
public final class MemoryStore implements ObjectStore {
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

  /** Everything in it, by key. */
  public NavigableMap<String, Body> objects() {
    return new TreeMap<>(objects);
  }

  /** Removes an object: what the product never does, and a test of that case has to. */
  public void delete(String key) {
    objects.remove(key);
  }

  private static Unclear noBucket(String key) {
    return new Unclear(key + ": no such bucket", false);
  }
}
