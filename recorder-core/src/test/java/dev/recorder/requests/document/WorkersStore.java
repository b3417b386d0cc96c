package dev.recorder.requests.document;

import dev.recorder.store.DocumentStore;

/** A store as far as a worker of documents uses it. */
interface WorkersStore extends DocumentStore {
  @Override
  default HeadAnswer head(String key) {
    throw new UnsupportedOperationException();
  }

  @Override
  default GetAnswer get(String key) {
    throw new UnsupportedOperationException();
  }
}
