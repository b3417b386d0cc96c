package dev.recorder.s3;

import dev.recorder.store.ObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ObjectLockMode;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.Tagging;

/**
 * What each object is given beside its content and metadata.
 *
 * @param encryption null leaves it to the bucket
 * @param storageClass as in {@code x-amz-storage-class}; empty for the store's usual one
 * @param lock null if objects are not locked
 */
public record ObjectAttributes(
    @Nullable Encryption encryption,
    String storageClass,
    Map<String, String> tags,
    @Nullable ObjectLock lock) {
  static final ObjectAttributes NONE = new ObjectAttributes(null, "", Map.of(), null);

  /**
   * Encryption by the store.
   *
   * @param algorithm as in {@code x-amz-server-side-encryption}
   * @param keyId of KMS; empty for the bucket's or the account's
   */
  public record Encryption(String algorithm, String keyId) {}

  /** How long no object can be deleted, from the moment that it is sent. */
  public record ObjectLock(LockMode mode, Duration retain) {}

  /** Who may end a lock early. */
  public enum LockMode {
    /** Whoever has the right to. */
    GOVERNANCE,
    /** No user at all. */
    COMPLIANCE
  }

  public ObjectAttributes {
    tags = Map.copyOf(tags);
  }

  /**
   * Whether an object is locked. Those of the store's test are not: they may be deleted at any
   * time. That the bucket takes locks is shown by the first object that stays, the store's
   * identity.
   */
  boolean locks(String key) {
    return lock != null && !key.contains("/" + ObjectStore.TEST_FOLDER);
  }

  /**
   * Adds the attributes to a request.
   *
   * @param now has a value if the object is locked
   */
  void addTo(PutObjectRequest.Builder put, @Nullable Instant now) {
    if (encryption != null) {
      put.serverSideEncryption(encryption.algorithm());
      put.ssekmsKeyId(encryption.keyId().isEmpty() ? null : encryption.keyId());
    }
    if (!storageClass.isEmpty()) {
      put.storageClass(storageClass);
    }
    if (!tags.isEmpty()) {
      put.tagging(
          Tagging.builder()
              .tagSet(
                  new TreeMap<>(tags)
                      .entrySet().stream()
                          .map(tag -> Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
                          .toList())
              .build());
    }
    if (lock != null && now != null) {
      put.objectLockMode(ObjectLockMode.fromValue(lock.mode().name()))
          .objectLockRetainUntilDate(now.plus(lock.retain()));
    }
  }
}
