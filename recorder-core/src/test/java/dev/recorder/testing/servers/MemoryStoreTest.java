package dev.recorder.testing.servers;

import dev.recorder.store.DocumentStore;
import dev.recorder.testing.DocumentStoreContract;

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
