package dev.recorder.requests.document;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.Request;
import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.WorkUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The user metadata of a document: the unit that wrote this version, and its requests.
 *
 * <p>Ids alone are not enough, since a database that lost history assigns them again, and so does a
 * copy of a database. Therefore the ids come with a digest, the sum of the {@linkplain
 * dev.recorder.requests.Request digests} of the requests. One digest for all is enough, since the
 * requests of one write are settled in one transaction: unless history was lost, either all of them
 * are open or none. If an id is now another request's, or missing, then the write belongs to a
 * history that this database does not have, and open requests are applied again.
 *
 * @param applied requests whose effect is in the document and that, to the unit's knowledge, are
 *     not complete yet
 * @param digest of these requests together
 * @param process the unit
 * @param fence of the unit; never lower than in the previous version
 * @param database of the unit; in another database ids and fences have no meaning; null if unknown
 * @param create the request that created the document; null if unknown
 */
public record DocumentStamp(
    RecorderName recorder,
    AppliedIds applied,
    long digest,
    UUID process,
    long fence,
    @Nullable DatabaseIdentity database,
    @Nullable CreatingRequest create) {
  private static final String DATABASE = "database";

  /** Returns the stamp of a unit. */
  static DocumentStamp of(
      WorkUnit unit,
      UnitWorker.Statuses statuses,
      AppliedIds applied,
      @Nullable CreatingRequest create) {
    return new DocumentStamp(
        unit.recorder(),
        applied,
        digest(unit, applied),
        unit.process(),
        unit.fence(),
        statuses.databases().stream().findFirst().orElse(null),
        create);
  }

  private static long digest(WorkUnit unit, AppliedIds applied) {
    Set<Long> ids = Set.copyOf(applied.ids());
    return unit.requests().stream()
        .filter(request -> ids.contains(request.id()))
        .mapToLong(Request::digest)
        .sum();
  }

  /** Returns the stamp of the same unit for other requests. */
  DocumentStamp withApplied(AppliedIds others, long othersDigest) {
    return new DocumentStamp(recorder, others, othersDigest, process, fence, database, create);
  }

  /** The metadata for S3. */
  public Map<String, String> asMap() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("recorder", recorder.value());
    map.put("applied", applied.text());
    map.put("digest", Long.toUnsignedString(digest, CreatingRequest.RADIX));
    map.put("process", process.toString());
    map.put("fence", Long.toString(fence));
    if (database != null) {
      map.put(DATABASE, database.text());
    }
    if (create != null) {
      map.put("create", create.text());
    }
    return map;
  }

  /**
   * The inverse of {@link #asMap()}; empty if an entry is missing or malformed. Ids without a
   * digest are not trusted, so such an object is not our document.
   */
  public static Optional<DocumentStamp> from(Map<String, String> map) {
    try {
      String create = map.get("create");
      return Optional.of(
          new DocumentStamp(
              new RecorderName(required(map, "recorder")),
              AppliedIds.parse(required(map, "applied")),
              Long.parseUnsignedLong(required(map, "digest"), CreatingRequest.RADIX),
              UUID.fromString(required(map, "process")),
              Long.parseLong(required(map, "fence")),
              DatabaseIdentity.parse(map.getOrDefault(DATABASE, "")).orElse(null),
              create == null ? null : CreatingRequest.parse(create)));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  /**
   * Whether a unit of a database outside this list wrote this version; false if no database is
   * known. A version of a later timeline than the unit's own comes from a copy that was promoted
   * elsewhere.
   *
   * @param databases the unit's own first
   */
  boolean isOfAnother(List<DatabaseIdentity> databases) {
    return database != null
        && !databases.isEmpty()
        && (databases.stream().noneMatch(database::isSameDatabase)
            || (databases.get(0).timeline() > 0 && databases.get(0).isBefore(database)));
  }

  /**
   * Whether a unit later than this one wrote this version. A version of an earlier timeline is
   * earlier, whatever its fence, since a promoted server reassigns numbers that it did not receive.
   * On one timeline the fences decide. A database whose storage was reset reassigns numbers, too,
   * but this cannot be distinguished from a unit that lost its session, or from a copy.
   *
   * @param databases the unit's own first
   */
  boolean isLaterThan(WorkUnit unit, List<DatabaseIdentity> databases) {
    boolean isOfEarlierTimeline =
        database != null
            && database.timeline() > 0
            && !databases.isEmpty()
            && database.isBefore(databases.get(0));
    return !isOfEarlierTimeline && Long.compareUnsigned(fence, unit.fence()) > 0;
  }

  /** The message for a unit of another database that finds this version. */
  String another(String object, List<DatabaseIdentity> databases) {
    return object
        + " was written from database "
        + (database == null ? "" : named(database))
        + ", and this one is "
        + named(databases.get(0))
        + ", so two databases write the same documents: stop the hosts of the other one, and bring"
        + " back the object's version before it, or delete the object; see the runbook, 'Two"
        + " databases, one log'";
  }

  private static String named(DatabaseIdentity database) {
    return database.name()
        + (database.timeline() == 0 ? "" : " on timeline " + database.timeline());
  }

  /** The message for a unit with a lower fence that finds this version. */
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
