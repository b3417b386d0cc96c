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
 * The attributes that each object gets, besides its content and metadata.
 *
 * @param encryption null for the bucket's default
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
   * @param keyId id of the KMS key; empty for the bucket's or the account's key
   */
  public record Encryption(String algorithm, String keyId) {}

  /** How long an object cannot be deleted, from the time when it is sent. */
  public record ObjectLock(LockMode mode, Duration retain) {}

  /** The roles that may end a lock early. */
  public enum LockMode {
    /** Roles with the right to do so. */
    GOVERNANCE,
    /** No role. */
    COMPLIANCE
  }

  public ObjectAttributes {
    tags = Map.copyOf(tags);
  }

  /**
   * Returns whether the object is locked. Objects of the store's test are not, as they may be
   * deleted at any time. The first locked object is the store's identity, which shows whether the
   * bucket accepts locks.
   */
  boolean locks(String key) {
    return lock != null && !key.contains("/" + ObjectStore.TEST_FOLDER);
  }

  /**
   * Adds the attributes to a request.
   *
   * @param now the present time; not null if the object is locked
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
