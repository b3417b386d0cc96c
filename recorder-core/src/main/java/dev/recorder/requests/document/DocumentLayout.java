package dev.recorder.requests.document;

import dev.recorder.handoff.RecorderName;
import dev.recorder.store.KeySegment;
import dev.recorder.store.StoreIdentity;
import dev.recorder.store.StoreLocation;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The place of a recorder's documents, pinned in the recorder's row when the row is created.
 *
 * <p>An entity's id is one segment of the key, percent-encoded: different ids have different keys,
 * and no id leads out of the folder.
 *
 * @param endpoint S3 endpoint URL, empty for the region's own
 * @param prefix key prefix without leading or trailing slash, may be empty
 */
public record DocumentLayout(String endpoint, String bucket, String prefix, RecorderName recorder) {
  /** The longest key in S3, in bytes of UTF-8. */
  static final int LONGEST_KEY = 1024;

  /** The store of the documents. */
  public StoreLocation place() {
    return new StoreLocation(endpoint, bucket);
  }

  /** The folder of the recorder's objects, with a slash at the end. */
  public String folder() {
    return (prefix.isEmpty() ? "" : prefix + '/') + recorder + '/';
  }

  /**
   * The key of the object that names the owner of the documents. It has one more slash than any
   * entity's key.
   */
  public String identityKey() {
    return folder() + "_about/recorder.json";
  }

  /** The expected content of the owner's object. */
  public StoreIdentity identity(UUID recorderId) {
    return new StoreIdentity(identityKey(), bucket, recorder, recorderId);
  }

  /** The key of {@code entity}'s document. */
  public EntityKey key(String entity) {
    if (entity.isEmpty()) {
      return new EntityKey.Refused("the entity's id is empty");
    }
    String key;
    try {
      key = folder() + KeySegment.of(entity) + ".json";
    } catch (CharacterCodingException loneSurrogate) {
      return new EntityKey.Refused("the entity's id is not valid Unicode");
    }
    int bytes = key.getBytes(StandardCharsets.UTF_8).length;
    return bytes <= LONGEST_KEY
        ? new EntityKey.Usable(key)
        : new EntityKey.Refused(
            "the entity's id is too long: the key of its object would have "
                + bytes
                + " bytes, S3 allows "
                + LONGEST_KEY);
  }
}
