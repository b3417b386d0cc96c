package dev.recorder.simulation.servers;

import dev.recorder.store.ObjectStore;
import java.util.Map;

/** A store that would, but not now. */
public final class RefusingStore implements ObjectStore {
  private static final Unclear SLOW_DOWN = new Unclear("503 slow down", true);

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    return SLOW_DOWN;
  }

  @Override
  public HeadAnswer head(String key) {
    return SLOW_DOWN;
  }

  @Override
  public GetAnswer get(String key) {
    return SLOW_DOWN;
  }
}
