package dev.recorder.postgres;

import dev.recorder.store.ObjectStore;
import java.util.Map;
import java.util.function.Consumer;

/** A store at whose reads something happens. */
public record LookedAt(ObjectStore store, Consumer<String> onLook, OnSlot onSlot)
    implements ObjectStore {

  /** What happens before a slot is read. */
  @FunctionalInterface
  public interface OnSlot {
    void run() throws java.sql.SQLException;
  }

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    return store.putIfAbsent(key, body, metadata);
  }

  @Override
  public HeadAnswer head(String key) {
    onLook.accept(key);
    return store.head(key);
  }

  @Override
  public GetAnswer get(String key) {
    onLook.accept(key);
    try {
      if (key.endsWith(".ndjson")) {
        onSlot.run();
      }
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
    return store.get(key);
  }
}
