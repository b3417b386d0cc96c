package dev.recorder.testing;

import dev.recorder.slotlog.ObjectStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A bucket in memory that keeps every promise, for tests of what is not about S3. Thread-safe. */
public final class MemoryStore implements ObjectStore {
  private final Map<String, Body> objects = new ConcurrentHashMap<>();

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    return objects.putIfAbsent(key, new Body(body, metadata)) == null
        ? new Created()
        : new AlreadyThere();
  }

  @Override
  public HeadAnswer head(String key) {
    Body body = objects.get(key);
    return body == null ? new Absent() : new Present(body.metadata());
  }

  @Override
  public GetAnswer get(String key) {
    Body body = objects.get(key);
    return body == null ? new Absent() : body;
  }

  /** Removes an object: what the product never does, and a test of that case has to. */
  public void delete(String key) {
    objects.remove(key);
  }
}
