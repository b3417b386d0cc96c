package dev.recorder.store;

import dev.recorder.handoff.RecorderName;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An object with a recorder's UUID, written once beside its objects and compared at every start.
 * The comparison detects a staging clone that runs with production's configuration, and two hosts
 * with different stores.
 *
 * @param key of the object
 * @param bucket name of the bucket, for messages
 * @param log the recorder's UUID in the database
 */
public record StoreIdentity(String key, String bucket, RecorderName recorder, UUID log) {
  /**
   * The largest object that is read. An identity object is one line, so a larger object cannot be
   * one.
   */
  private static final int MOST_BYTES = 16 << 10;

  private static final String LOG = "log";

  private static final String ANOTHERS =
      """
      another database writes there, or a failover lost the recorder's creation; give this \
      recorder a prefix of its own""";

  private static final Pattern UUID_FIELD =
      Pattern.compile("\"log\"\\s*:\\s*\"([0-9a-fA-F-]{36})\"");

  public enum IdentityKind {
    RIGHT,
    MISSING,
    WRONG,
    UNCLEAR
  }

  /**
   * A check's result.
   *
   * @param why one sentence with the key and the remedy; empty if the identity is right
   */
  public record Recognition(IdentityKind kind, String why) {}

  /**
   * Creates the identity object if it is missing, and checks it. Idempotent and safe against races.
   */
  public Recognition claim(ObjectStore store) {
    ObjectStore.PutAnswer answer = put(store);
    if (answer instanceof ObjectStore.Created) {
      return new Recognition(IdentityKind.RIGHT, "");
    }
    Recognition verdict = check(store);
    boolean stillUnknown =
        verdict.kind() == IdentityKind.MISSING && answer instanceof ObjectStore.Unclear;
    return stillUnknown
        ? new Recognition(IdentityKind.UNCLEAR, ((ObjectStore.Unclear) answer).reason())
        : verdict;
  }

  /**
   * Tests whether the store accepts writes, without changing an object: puts the existing identity
   * object on condition that it is absent.
   */
  public Recognition probe(ObjectStore store) {
    return put(store) instanceof ObjectStore.Unclear unclear
        ? new Recognition(IdentityKind.UNCLEAR, "the store takes no writes: " + unclear.reason())
        : new Recognition(IdentityKind.RIGHT, "");
  }

  private ObjectStore.PutAnswer put(ObjectStore store) {
    return store.putIfAbsent(
        key,
        body(recorder.value(), log.toString()),
        Map.of("recorder", recorder.value(), LOG, log.toString()));
  }

  private static byte[] body(String recorder, String log) {
    return "{\"recorder\":\"%s\",\"log\":\"%s\"}\n"
        .formatted(recorder, log)
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads an identity object. If the object is archived, its metadata, which have the same UUID,
   * replace its body: an archived identity object must not keep hosts from recording.
   */
  public static ObjectStore.GetAnswer read(ObjectStore store, String key) {
    ObjectStore.GetAnswer answer = store.get(key, MOST_BYTES);
    boolean archived =
        answer instanceof ObjectStore.Unclear unclear
            && unclear.cause() == ObjectStore.RefusalCause.ARCHIVED;
    if (archived && store.head(key) instanceof ObjectStore.Present there) {
      byte[] said = body("", there.metadata().getOrDefault(LOG, ""));
      return named(said).isPresent() ? new ObjectStore.Body(said, there.metadata()) : answer;
    }
    return answer;
  }

  /** Returns the UUID in the body of an identity object; empty if there is none. */
  public static Optional<UUID> named(byte[] body) {
    Matcher field = UUID_FIELD.matcher(new String(body, StandardCharsets.UTF_8));
    try {
      return field.find() ? Optional.of(UUID.fromString(field.group(1))) : Optional.empty();
    } catch (IllegalArgumentException misplacedHyphens) {
      return Optional.empty();
    }
  }

  /** Returns the UUID in the answer to a GET of an identity object; empty if there is none. */
  public static Optional<UUID> named(ObjectStore.GetAnswer answer) {
    return answer instanceof ObjectStore.Body body ? named(body.bytes()) : Optional.empty();
  }

  /** Compares the identity object with {@code log}. */
  public Recognition check(ObjectStore store) {
    return recognise(read(store, key));
  }

  /** Compares a GET's answer for the identity object with {@code log}. */
  public Recognition recognise(ObjectStore.GetAnswer answer) {
    if (answer instanceof ObjectStore.Unclear unclear) {
      return new Recognition(IdentityKind.UNCLEAR, unclear.reason());
    }
    if (answer instanceof ObjectStore.Absent) {
      return new Recognition(
          IdentityKind.MISSING,
          """
          object %s is missing in bucket %s: this is not the store that holds the log, or somebody \
          deleted the object"""
              .formatted(key, bucket));
    }
    String found = named(answer).map(UUID::toString).orElse("unreadable");
    return found.equals(log.toString())
        ? new Recognition(IdentityKind.RIGHT, "")
        : new Recognition(
            IdentityKind.WRONG,
            """
            object %s in bucket %s names log %s, this database's log is %s: %s"""
                .formatted(key, bucket, found, log, ANOTHERS));
  }

  /**
   * Checks whether a recorder without a UUID may begin in this store. It may if the result is
   * {@code MISSING}.
   */
  public static Recognition checkFree(ObjectStore store, String key, String bucket) {
    ObjectStore.GetAnswer answer = read(store, key);
    if (answer instanceof ObjectStore.Unclear unclear) {
      return new Recognition(IdentityKind.UNCLEAR, unclear.reason());
    } else if (answer instanceof ObjectStore.Absent) {
      return new Recognition(IdentityKind.MISSING, "");
    }
    return new Recognition(
        IdentityKind.WRONG,
        "object %s in bucket %s names log %s, this database has none: %s"
            .formatted(
                key, bucket, named(answer).map(UUID::toString).orElse("unreadable"), ANOTHERS));
  }
}
