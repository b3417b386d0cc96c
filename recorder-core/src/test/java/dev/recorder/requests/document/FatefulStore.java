package dev.recorder.requests.document;

import dev.recorder.testing.servers.MemoryStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store of which a test decides what becomes of the next PUTs. */
final class FatefulStore implements WorkersStore {
  /** Carried out; nobody hears of it. */
  static final Fate ANSWER_LOST =
      put -> {
        PutAnswer unused = put.get();
        return new Unclear("answer lost", true);
      };

  static final Fate NOT_CARRIED_OUT = put -> new Unclear("did not arrive", true);

  final MemoryStore store = new MemoryStore();

  /** The keys of all PUTs that were sent. */
  final List<String> puts = new ArrayList<>();

  /** PUTs and others. */
  int calls;

  /** What is still to come. */
  final List<Runnable> later = new ArrayList<>();

  /** If there is one, the answer to every call. */
  @Nullable Unclear silent;

  private final Deque<Fate> fates = new ArrayDeque<>();

  /** What becomes of a PUT. */
  interface Fate {
    PutAnswer of(Supplier<PutAnswer> put);
  }

  /** The next PUT has this fate. */
  void onPut(Fate fate) {
    fates.add(fate);
  }

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    return put(key, () -> store.putIfAbsent(key, body, metadata));
  }

  @Override
  public PutAnswer putIfMatch(String key, byte[] body, Map<String, String> metadata, String etag) {
    return put(key, () -> store.putIfMatch(key, body, metadata, etag));
  }

  private PutAnswer put(String key, Supplier<PutAnswer> put) {
    puts.add(key);
    calls++;
    Unclear silence = silent;
    if (silence != null) {
      return silence;
    }
    Fate fate = fates.poll();
    return fate == null ? put.get() : fate.of(put);
  }

  @Override
  public FetchAnswer fetch(String key, LongPredicate mayRead) {
    calls++;
    Unclear silence = silent;
    return silence == null ? store.fetch(key, mayRead) : silence;
  }
}
