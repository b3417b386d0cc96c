package dev.recorder.simulation.servers;

import dev.recorder.store.ObjectStore;
import dev.recorder.testing.ObjectStoreContract;
import dev.recorder.testing.servers.MemoryStore;

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
