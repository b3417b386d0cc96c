package dev.recorder.store;

import java.util.List;
import java.util.Map;

/**
 * Port: one bucket, as a log needs it. Implementations are thread-safe, never retry a conditional
 * PUT by themselves, and answer instead of throwing: a failure is {@link Unclear} with its reason,
 * because after it the object may or may not be there.
 *
 * <p>Every call ends within the implementation's own time limit.
 */
public interface ObjectStore {

  /** Where, below a log's folder, the test of a store leaves its objects; they may expire. */
  String TEST_FOLDER = "_store_test/";

  /**
   * Rules of the bucket that let objects under {@code folder} expire by themselves, by name. Empty
   * if there are none, or if the store does not tell: it is for a warning, nothing more.
   */
  default List<String> expiringRules(String folder) {
    return List.of();
  }

  /** The same of rules that move them to where they cannot be read until they are restored. */
  default List<String> archivingRules(String folder) {
    return List.of();
  }

  /** Writes {@code body} under {@code key} only if nothing is there ({@code If-None-Match: *}). */
  PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata);

  /** Looks at {@code key} without its body. */
  HeadAnswer head(String key);

  /** Reads {@code key}, wholly into memory, however large it is. */
  GetAnswer get(String key);

  /**
   * The same of an object of so many bytes at most; of a larger one it is told. A store that is not
   * in this process's memory looks before it reads.
   */
  default GetAnswer get(String key, long most) {
    GetAnswer answer = get(key);
    return answer instanceof Body body && body.bytes().length > most
        ? new NotRead(body.bytes().length, body.metadata(), "")
        : answer;
  }

  /** What became of a conditional PUT. */
  sealed interface PutAnswer {}

  /** What a HEAD saw. */
  sealed interface HeadAnswer {}

  /** What a GET brought. */
  sealed interface GetAnswer {}

  /** What a GET that asks for the version too has brought. */
  sealed interface FetchAnswer {}

  /** The object is there, and this PUT put it there. */
  record Created() implements PutAnswer {}

  /**
   * 412 or 404 on a PUT that names a version: the object is another one by now, or gone. Perhaps
   * this very PUT made it another one, sent twice by the network: compare.
   */
  record Changed() implements PutAnswer {}

  /**
   * 412: something is there already. Perhaps this very PUT, sent twice by the network: compare
   * before drawing a conclusion.
   */
  record AlreadyThere() implements PutAnswer {}

  /** The object exists, with these user metadata. */
  record Present(Map<String, String> metadata) implements HeadAnswer {}

  /** No object has this key, said by a store that may tell (404, not 403). */
  record Absent() implements HeadAnswer, GetAnswer, FetchAnswer {}

  /** The object's bytes and user metadata. */
  @SuppressWarnings("ArrayRecordComponent") // a carrier of bytes, never compared
  record Body(byte[] bytes, Map<String, String> metadata) implements GetAnswer {}

  /** The object's bytes, user metadata and version. */
  @SuppressWarnings("ArrayRecordComponent") // a carrier of bytes, never compared
  record Fetched(byte[] bytes, Map<String, String> metadata, String etag) implements FetchAnswer {}

  /** The object is there, in this version, and was not to be read. */
  record NotRead(long bytes, Map<String, String> metadata, String etag)
      implements GetAnswer, FetchAnswer {}

  /**
   * No answer one can rely on: 409, 5xx, time-out, connection lost, or refused.
   *
   * @param reason what happened, with the key, and the remedy where one is known; free of secrets
   * @param remediable true if waiting may help (5xx, time-out, 409), false if only an operator can
   *     (403, no such bucket, bad request)
   * @param cause whose matter it is, as far as that is known
   */
  record Unclear(String reason, boolean remediable, RefusalCause cause)
      implements PutAnswer, HeadAnswer, GetAnswer, FetchAnswer {
    public Unclear(String reason, boolean remediable) {
      this(reason, remediable, RefusalCause.OTHER);
    }

    /** Whether credentials or a right are what is missing. */
    public boolean rights() {
      return cause == RefusalCause.RIGHTS;
    }
  }

  /** What a store's refusal comes from. */
  enum RefusalCause {
    /** Credentials or a right are missing. */
    RIGHTS,
    /** A key of the configuration does not fit this store. */
    SETTING,
    /** The object is in an archive: what is asked about it is answered, but it cannot be read. */
    ARCHIVED,
    /** The body has more bytes than the store, or what stands before it, takes. */
    TOO_LARGE,
    OTHER
  }
}
