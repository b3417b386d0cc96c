package dev.recorder.testing;

import dev.recorder.store.ObjectStore;

class MemoryStoreTest extends ObjectStoreContract {
  private final MemoryStore store = new MemoryStore();

  @Override
  protected ObjectStore store() {
    return store;
  }

  @Override
  protected ObjectStore storeWithoutBucket() {
    return MemoryStore.withoutBucket();
  }
}
