package dev.recorder.simulation.servers;

import dev.recorder.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory bucket with an atomic put-if-absent. Remembers every change for the invariants.
 * Thread-safe, as the contract that it is held to asks for races.
 */
public final class FakeStore implements ObjectStore {
  private final TreeMap<String, Stored> objects = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();
  private final boolean ignoresCondition;

  public FakeStore(boolean ignoresCondition) {
    this.ignoresCondition = ignoresCondition;
  }

  /** An object. */
  @SuppressWarnings("ArrayRecordComponent") // a carrier of bytes, never compared
  public record Stored(byte[] body, Map<String, String> metadata) {}

  /** An object came, changed or went. */
  public record Change(String key, @Nullable Stored before, @Nullable Stored after) {}

  @Override
  public synchronized PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    Stored before = objects.get(key);
    if (before != null && !ignoresCondition) {
      return new AlreadyThere();
    }
    Stored stored = new Stored(body.clone(), Map.copyOf(metadata));
    objects.put(key, stored);
    changes.add(new Change(key, before, stored));
    return new Created();
  }

  @Override
  public synchronized HeadAnswer head(String key) {
    Stored stored = objects.get(key);
    return stored == null ? new Absent() : new Present(stored.metadata());
  }

  @Override
  public synchronized GetAnswer get(String key) {
    Stored stored = objects.get(key);
    return stored == null ? new Absent() : new Body(stored.body().clone(), stored.metadata());
  }

  public synchronized void delete(String key) {
    Stored before = objects.remove(key);
    if (before != null) {
      changes.add(new Change(key, before, null));
    }
  }

  public synchronized List<String> keys() {
    return List.copyOf(objects.keySet());
  }

  public synchronized List<Change> changes() {
    return changes;
  }
}
