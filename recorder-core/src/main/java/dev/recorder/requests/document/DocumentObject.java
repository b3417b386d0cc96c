package dev.recorder.requests.document;

import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore.FetchAnswer;
import dev.recorder.store.ObjectStore.PutAnswer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The object that holds one entity's document, whether it is there or not. */
record DocumentObject(DocumentStore store, String key) {
  /** Reads it if {@code wanted} says so of its size in bytes. */
  FetchAnswer fetch(LongPredicate wanted) {
    return store.fetch(key, wanted);
  }

  PutAnswer putIfAbsent(StoredDocument document) {
    return store.putIfAbsent(key, document.body(), document.metadata());
  }

  PutAnswer putIfMatch(StoredDocument document, String etag) {
    return store.putIfMatch(key, document.body(), document.metadata(), etag);
  }

  /** On the condition that it is still the version of this ETag; null if there was none. */
  PutAnswer put(RebuiltDocument document, @Nullable String etag) {
    return etag == null
        ? store.putIfAbsent(key, document.body(), document.metadata())
        : store.putIfMatch(key, document.body(), document.metadata(), etag);
  }

  /** As messages name it. */
  @Override
  public String toString() {
    return "object " + key;
  }
}
