package dev.recorder.testing;

import dev.recorder.store.DocumentStore;

class MemoryStoreTest extends DocumentStoreContract {
  private final MemoryStore store = new MemoryStore();

  @Override
  protected DocumentStore store() {
    return store;
  }

  @Override
  protected DocumentStore storeWithoutBucket() {
    return MemoryStore.withoutBucket();
  }
}
