package dev.recorder.slotlog;

import dev.recorder.handoff.RecorderName;
import dev.recorder.store.StoreIdentity;
import dev.recorder.store.StoreLocation;
import java.util.Locale;
import java.util.UUID;

/**
 * Where a recorder's log lies and in which form; pinned in the recorder's row when it is created.
 *
 * <p>No epoch, host or time stands in a key: whoever writes slot k, a zombie included, contends for
 * the same key, and the store lets one of them win.
 *
 * @param endpoint S3 endpoint URL, empty for the region's own
 * @param prefix key prefix without leading or trailing slash, may be empty
 */
public record LogLayout(
    String endpoint, String bucket, String prefix, RecorderName recorder, Compression compression) {
  /** The store that holds it. */
  public StoreLocation place() {
    return new StoreLocation(endpoint, bucket);
  }

  /** The object that carries the log's UUID. */
  public String identityKey() {
    return folder() + "_log.json";
  }

  /** That object, as it should be. */
  public StoreIdentity identity(UUID log) {
    return new StoreIdentity(identityKey(), bucket, recorder, log);
  }

  /** The key of slot {@code slot}: twenty digits, so that keys sort as slots do. */
  public String slotKey(long slot) {
    return folder() + String.format(Locale.ROOT, "%020d", slot) + '.' + compression.extension();
  }

  /** Where the recorder's objects lie, with a slash at the end. */
  public String folder() {
    return (prefix.isEmpty() ? "" : prefix + '/') + recorder + '/';
  }
}
