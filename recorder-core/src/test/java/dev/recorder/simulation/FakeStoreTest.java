package dev.recorder.simulation;

import dev.recorder.store.ObjectStore;
import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.ObjectStoreContract;

/** The simulator's store behaves like a real one. */
class FakeStoreTest extends ObjectStoreContract {
  private final FakeStore store = new FakeStore(false);

  @Override
  protected ObjectStore store() {
    return store;
  }

  @Override
  protected ObjectStore storeWithoutBucket() {
    return MemoryStore.withoutBucket();
  }
}
