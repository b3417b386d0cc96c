package dev.recorder.requests.document;

import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore.FetchAnswer;
import dev.recorder.store.ObjectStore.PutAnswer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The object of one entity's document, whether it exists or not. */
record DocumentObject(DocumentStore store, String key) {
  /** Reads the object if {@code wanted} accepts its size in bytes. */
  FetchAnswer fetch(LongPredicate wanted) {
    return store.fetch(key, wanted);
  }

  PutAnswer putIfAbsent(StoredDocument document) {
    return store.putIfAbsent(key, document.body(), document.metadata());
  }

  PutAnswer putIfMatch(StoredDocument document, String etag) {
    return store.putIfMatch(key, document.body(), document.metadata(), etag);
  }

  /**
   * Writes on the condition that the object still has this ETag; null means that the object must
   * not exist.
   */
  PutAnswer put(RebuiltDocument document, @Nullable String etag) {
    return etag == null
        ? store.putIfAbsent(key, document.body(), document.metadata())
        : store.putIfMatch(key, document.body(), document.metadata(), etag);
  }

  /** The object's name for messages. */
  @Override
  public String toString() {
    return "object " + key;
  }
}
