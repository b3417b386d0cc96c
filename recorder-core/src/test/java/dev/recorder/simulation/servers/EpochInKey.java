package dev.recorder.simulation.servers;

import dev.recorder.store.ObjectStore;
import java.util.Map;

/** A store as a writer would see it that puts its epoch into the key: the mutation of that name. */
public final class EpochInKey implements ObjectStore {
  private static final String END = ".ndjson";

  private final ObjectStore bucket;
  private final FakeStore all;
  private final long epoch;

  public EpochInKey(ObjectStore bucket, FakeStore all, long epoch) {
    this.bucket = bucket;
    this.all = all;
    this.epoch = epoch;
  }

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    return bucket.putIfAbsent(key.replace(END, "-" + epoch + END), body, metadata);
  }

  /** Looks for the slot, whoever wrote it. */
  @Override
  public HeadAnswer head(String key) {
    String slot = key.replaceFirst("\\.ndjson.*", "");
    return bucket.head(
        all.keys().stream().filter(known -> known.startsWith(slot)).findFirst().orElse(key));
  }

  @Override
  public GetAnswer get(String key) {
    return bucket.get(key);
  }
}
