package dev.recorder.s3;

import dev.recorder.store.DocumentStore;
import dev.recorder.testing.servers.MemoryStore;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongPredicate;

/** A good store, in which a test replaces what it wants broken. */
final class SpoiltStore implements DocumentStore {
  final MemoryStore good = new MemoryStore();
  Put create = good::putIfAbsent;
  Replacement replace = good::putIfMatch;
  Function<String, HeadAnswer> head = good::head;
  Function<String, GetAnswer> get = good::get;
  BiFunction<String, LongPredicate, FetchAnswer> fetch = good::fetch;

  @FunctionalInterface
  interface Put {
    PutAnswer put(String key, byte[] body, Map<String, String> metadata);
  }

  @FunctionalInterface
  interface Replacement {
    PutAnswer put(String key, byte[] body, Map<String, String> metadata, String etag);
  }

  /** What a store does that ignores the condition. */
  PutAnswer overwrite(String key, byte[] body, Map<String, String> metadata) {
    good.overwrite(key, body, metadata);
    return new Created();
  }

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    return create.put(key, body, metadata);
  }

  @Override
  public PutAnswer putIfMatch(String key, byte[] body, Map<String, String> metadata, String etag) {
    return replace.put(key, body, metadata, etag);
  }

  @Override
  public HeadAnswer head(String key) {
    return head.apply(key);
  }

  @Override
  public GetAnswer get(String key) {
    return get.apply(key);
  }

  @Override
  public FetchAnswer fetch(String key, LongPredicate mayRead) {
    return fetch.apply(key, mayRead);
  }
}
