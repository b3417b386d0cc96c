package dev.recorder.slotlog;

import dev.recorder.handoff.RecorderName;
import dev.recorder.store.StoreIdentity;
import dev.recorder.store.StoreLocation;
import java.util.Locale;
import java.util.UUID;

/**
 * The place and form of a recorder's log in S3, pinned in the recorder's row when the row is
 * created.
 *
 * <p>A key has no epoch, host or time. All writers of slot k, including those of ended terms,
 * contend for the same key, and the store lets one of them win.
 *
 * @param endpoint S3 endpoint URL, empty for the region's own
 * @param prefix key prefix without leading or trailing slash, may be empty
 */
public record LogLayout(
    String endpoint, String bucket, String prefix, RecorderName recorder, Compression compression) {
  /** Returns the store that has the log. */
  public StoreLocation place() {
    return new StoreLocation(endpoint, bucket);
  }

  /** Returns the key of the object with the log's UUID. */
  public String identityKey() {
    return folder() + "_log.json";
  }

  /** Returns the identity object that this log should have. */
  public StoreIdentity identity(UUID log) {
    return new StoreIdentity(identityKey(), bucket, recorder, log);
  }

  /** Returns the key of a slot. The number has twenty digits, so that keys sort as slots do. */
  public String slotKey(long slot) {
    return folder() + String.format(Locale.ROOT, "%020d", slot) + '.' + compression.extension();
  }

  /** Returns the prefix of the keys of the recorder's objects, with a slash at the end. */
  public String folder() {
    return (prefix.isEmpty() ? "" : prefix + '/') + recorder + '/';
  }
}
