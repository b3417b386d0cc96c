package dev.recorder.slotlog;

import dev.recorder.handoff.DatabaseIdentity;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The user metadata of a slot's object, within S3's limit of 2 KB.
 *
 * @param sha256 SHA-256 of the uncompressed content, lower-case hex
 * @param chain the chain up to and including this slot, as its writer computed it
 * @param database the database from which the slot was written; null if the object does not state
 *     it
 * @param window the window of the slot's rows; null if the object does not state it
 * @param readAt when the rows were read, by the database's clock; null if the object does not state
 *     it
 */
public record ObjectMetadata(
    String recorder,
    UUID log,
    long slot,
    long epoch,
    String writer,
    int rows,
    String sha256,
    LogChain chain,
    @Nullable DatabaseIdentity database,
    @Nullable WindowPart window,
    @Nullable Instant readAt) {
  private static final String DATABASE = "database";
  private static final String READ_AT = "read-at";

  /** Returns the metadata in the form that S3 stores. */
  public Map<String, String> asMap() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("recorder", recorder);
    map.put("log", log.toString());
    map.put("slot", Long.toString(slot));
    map.put("epoch", Long.toString(epoch));
    map.put("writer", writer);
    map.put("rows", Integer.toString(rows));
    map.put("sha256", sha256);
    map.put("chain", chain.hash());
    if (database != null) {
      map.put(DATABASE, database.text());
    }
    if (window != null) {
      window.addTo(map);
    }
    if (readAt != null) {
      map.put(READ_AT, readAt.toString());
    }
    return map;
  }

  /**
   * Reads the form of {@link #asMap()}. Returns empty if a required part is missing or malformed. A
   * missing or malformed window, database or time is null.
   */
  public static Optional<ObjectMetadata> from(Map<String, String> map) {
    try {
      return Optional.of(
          new ObjectMetadata(
              required(map, "recorder"),
              UUID.fromString(required(map, "log")),
              Long.parseLong(required(map, "slot")),
              Long.parseLong(required(map, "epoch")),
              required(map, "writer"),
              Integer.parseInt(required(map, "rows")),
              required(map, "sha256"),
              new LogChain(required(map, "chain")),
              DatabaseIdentity.parse(map.getOrDefault(DATABASE, "")).orElse(null),
              WindowPart.from(map).orElse(null),
              time(map.getOrDefault(READ_AT, ""))));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  private static @Nullable Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException notStated) {
      return null;
    }
  }

  private static String required(Map<String, String> map, String name) {
    String value = map.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no metadata '" + name + "'");
    }
    return value;
  }
}
