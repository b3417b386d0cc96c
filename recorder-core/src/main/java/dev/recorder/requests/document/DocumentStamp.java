package dev.recorder.requests.document;

import dev.recorder.handoff.RecorderName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The user metadata of a document: which unit of work wrote this version, and which requests it
 * answers for.
 *
 * @param applied requests whose effect is in the document and that are, as far as the unit knew,
 *     not complete yet
 * @param process the unit
 * @param fence the unit's too; never lower than that of the version before
 * @param create the request that created the document; null if that is not known
 */
public record DocumentStamp(
    RecorderName recorder, AppliedIds applied, UUID process, long fence, @Nullable Long create) {

  /** The metadata as S3 carries them. */
  public Map<String, String> asMap() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("recorder", recorder.value());
    map.put("applied", applied.text());
    map.put("process", process.toString());
    map.put("fence", Long.toString(fence));
    if (create != null) {
      map.put("create", Long.toString(create));
    }
    return map;
  }

  /** Reads what {@link #asMap()} wrote; empty if a part is missing or malformed. */
  public static Optional<DocumentStamp> from(Map<String, String> map) {
    try {
      String create = map.get("create");
      return Optional.of(
          new DocumentStamp(
              new RecorderName(required(map, "recorder")),
              AppliedIds.parse(required(map, "applied")),
              UUID.fromString(required(map, "process")),
              Long.parseLong(required(map, "fence")),
              create == null ? null : Long.valueOf(create)));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  /** What to say of a unit with a lower fence that finds this. */
  String overtaking(String object, long lower) {
    return object
        + " was written by unit "
        + Long.toUnsignedString(fence)
        + ", which is later than this one, "
        + Long.toUnsignedString(lower)
        + ": this one has lost its session, or the database was set back";
  }

  private static String required(Map<String, String> map, String name) {
    String value = map.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no metadata '" + name + "'");
    }
    return value;
  }
}
