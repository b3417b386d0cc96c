package dev.recorder.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Port: one bucket, as a log needs it. Implementations are thread-safe, never retry a conditional
 * PUT, and answer instead of throwing. A failure is {@link Unclear} with its reason, because after
 * it the object may or may not exist.
 *
 * <p>Every call ends within the implementation's own time limit.
 */
public interface ObjectStore {

  /**
   * The folder, below a log's folder, for the objects of the store's test. These objects may
   * expire.
   */
  String TEST_FOLDER = "_store_test/";

  /**
   * Returns the names of the bucket's rules that let objects under {@code folder} expire, for a
   * warning. Empty if there are none, or if the store does not report them.
   */
  default List<String> expiringRules(String folder) {
    return List.of();
  }

  /**
   * Returns the names of the bucket's rules that archive objects under {@code folder}. An archived
   * object cannot be read until it is restored.
   */
  default List<String> archivingRules(String folder) {
    return List.of();
  }

  /**
   * Returns whether a policy of the store refuses PUTs without a condition below {@code folder};
   * empty if this could not be determined. Writes an object into the folder of the store's test.
   */
  default Optional<Boolean> refusesUnconditional(String folder) {
    return Optional.empty();
  }

  /**
   * Writes {@code body} under {@code key} only if no object has this key ({@code If-None-Match:
   * *}).
   */
  PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata);

  /** Reads the metadata of {@code key}. */
  HeadAnswer head(String key);

  /** Reads {@code key} into memory, whatever its size. */
  GetAnswer get(String key);

  /**
   * Reads an object of at most {@code most} bytes. Answers {@link NotRead} for a larger object.
   * Stores outside of this process's memory must check the size before they read.
   */
  default GetAnswer get(String key, long most) {
    GetAnswer answer = get(key);
    return answer instanceof Body body && body.bytes().length > most
        ? new NotRead(body.bytes().length, body.metadata(), "")
        : answer;
  }

  sealed interface PutAnswer {}

  sealed interface HeadAnswer {}

  sealed interface GetAnswer {}

  /** The outcome of a GET that also asks for the version. */
  sealed interface FetchAnswer {}

  /** This PUT created or replaced the object. */
  record Created() implements PutAnswer {}

  /**
   * 412 or 404 on a PUT that names a version: the object has another version or is gone. The
   * network may have sent this very PUT twice, so the caller must compare the object.
   */
  record Changed() implements PutAnswer {}

  /**
   * 412: the key already exists. The network may have sent this very PUT twice, so the caller must
   * compare the object.
   */
  record AlreadyThere() implements PutAnswer {}

  record Present(Map<String, String> metadata) implements HeadAnswer {}

  /** No object has this key: the store answered 404, not 403. */
  record Absent() implements HeadAnswer, GetAnswer, FetchAnswer {}

  @SuppressWarnings("ArrayRecordComponent") // a carrier of bytes, never compared
  record Body(byte[] bytes, Map<String, String> metadata) implements GetAnswer {}

  @SuppressWarnings("ArrayRecordComponent") // a carrier of bytes, never compared
  record Fetched(byte[] bytes, Map<String, String> metadata, String etag) implements FetchAnswer {}

  /** The object exists in this version and was too large to be read. */
  record NotRead(long bytes, Map<String, String> metadata, String etag)
      implements GetAnswer, FetchAnswer {}

  /**
   * No reliable answer: 409, 5xx, time-out, connection lost, or refused.
   *
   * @param reason what happened, with the key and the remedy if known; free of secrets
   * @param remediable true if waiting may help (5xx, time-out, 409), false if only an operator can
   *     (403, no such bucket, bad request)
   * @param cause the cause of the refusal, or {@code OTHER}
   */
  record Unclear(String reason, boolean remediable, RefusalCause cause)
      implements PutAnswer, HeadAnswer, GetAnswer, FetchAnswer {
    public Unclear(String reason, boolean remediable) {
      this(reason, remediable, RefusalCause.OTHER);
    }

    public boolean rights() {
      return cause == RefusalCause.RIGHTS;
    }
  }

  /** The cause of a store's refusal. */
  enum RefusalCause {
    /** Credentials or a right are missing. */
    RIGHTS,
    /** A configuration key does not fit this store. */
    SETTING,
    /** The object is archived: its metadata can be read, its content cannot. */
    ARCHIVED,
    /** The body exceeds the limit of the store, or of a proxy in front of it. */
    TOO_LARGE,
    OTHER
  }
}
