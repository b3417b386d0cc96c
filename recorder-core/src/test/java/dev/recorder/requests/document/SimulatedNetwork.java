package dev.recorder.requests.document;

import dev.recorder.testing.servers.MemoryStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * Between the workers and the store: answers get lost, PUTs come late, twice or never. Breaks one
 * rule, if it is told to.
 */
final class SimulatedNetwork implements WorkersStore {
  private final MemoryStore store = new MemoryStore();
  private final List<Supplier<PutAnswer>> onTheirWay = new ArrayList<>();
  private final Chance chance;
  private final Mutation mutation;
  private boolean troubled = true;

  SimulatedNetwork(Chance chance, Mutation mutation) {
    this.chance = chance;
    this.mutation = mutation;
  }

  /** From now on every call is carried out and answered. */
  void calm() {
    troubled = false;
  }

  boolean hasPutsOnTheirWay() {
    return !onTheirWay.isEmpty();
  }

  /** Brings one of them to the store. */
  void land() {
    PutAnswer unused = onTheirWay.remove(chance.below(onTheirWay.size())).get();
  }

  /** What is really there. */
  FetchAnswer look(String key) {
    return store.fetch(key);
  }

  @Override
  public FetchAnswer fetch(String key, LongPredicate mayRead) {
    if (troubled && chance.hit(0.03)) {
      return new Unclear("GET lost", true);
    }
    FetchAnswer answer = store.fetch(key, mayRead);
    if (mutation == Mutation.FENCES_IGNORED && answer instanceof Fetched object) {
      Map<String, String> metadata = new HashMap<>(object.metadata());
      metadata.put("fence", "0");
      return new Fetched(object.bytes(), metadata, object.etag());
    }
    return answer;
  }

  @Override
  public PutAnswer putIfMatch(String key, byte[] body, Map<String, String> metadata, String etag) {
    if (mutation == Mutation.FOUND_WITHOUT_A_WRITE && answersForNothingNew(key, metadata)) {
      return new Created();
    }
    byte[] bytes = mutated(body);
    Map<String, String> kept = mutated(metadata);
    return mutation == Mutation.NO_IF_MATCH
        ? put(() -> overwritten(key, bytes, kept))
        : put(() -> store.putIfMatch(key, bytes, kept, etag));
  }

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    byte[] bytes = mutated(body);
    Map<String, String> kept = mutated(metadata);
    return mutation == Mutation.NO_IF_NONE_MATCH
        ? put(() -> overwritten(key, bytes, kept))
        : put(() -> store.putIfAbsent(key, bytes, kept));
  }

  private PutAnswer overwritten(String key, byte[] body, Map<String, String> metadata) {
    store.overwrite(key, body, metadata);
    return new Created();
  }

  private PutAnswer put(Supplier<PutAnswer> put) {
    if (!troubled || chance.hit(0.6)) {
      return put.get();
    }
    return switch (chance.below(5)) {
      case 0 -> { // carried out, and its answer lost
        PutAnswer unused = put.get();
        yield lost();
      }
      case 1 -> { // carried out some time later
        onTheirWay.add(put);
        yield lost();
      }
      case 2 -> { // carried out now and once more later
        onTheirWay.add(put);
        yield put.get();
      }
      case 3 -> lost();
      default -> new Unclear("PUT refused", false);
    };
  }

  private PutAnswer lost() {
    return mutation == Mutation.NO_ANSWER_IS_SUCCESS
        ? new Created()
        : new Unclear("PUT lost", true);
  }

  private byte[] mutated(byte[] body) {
    return mutation == Mutation.NO_LINE_OF_BLANKS
        ? new StoredDocument(text(body), Optional.empty()).body()
        : body;
  }

  private Map<String, String> mutated(Map<String, String> metadata) {
    Map<String, String> kept = new HashMap<>(metadata);
    if (mutation == Mutation.APPLIED_NOT_KEPT) {
      kept.put("applied", "");
    } else if (mutation == Mutation.HIGHEST_ID_ONLY) {
      List<Long> ids = applied(metadata).ids();
      List<Long> highest = ids.subList(ids.size() - 1, ids.size());
      kept.put("applied", AppliedIds.of(highest).text());
      kept.put("digest", Long.toUnsignedString(SimulatedTable.digest(highest.get(0)), 36));
    }
    return kept;
  }

  private boolean answersForNothingNew(String key, Map<String, String> metadata) {
    return store.head(key) instanceof Present now
        && applied(now.metadata()).ids().containsAll(applied(metadata).ids());
  }

  private static AppliedIds applied(Map<String, String> metadata) {
    return AppliedIds.parse(metadata.getOrDefault("applied", ""));
  }

  private static String text(byte[] body) {
    return StoredDocument.read(body, Map.of()).orElseThrow().text();
  }
}
