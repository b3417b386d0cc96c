package dev.recorder.s3;

import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.ObjectStore;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Determines whether a store refuses checksums, or requires them. Sends two small objects to the
 * folder of the store's test, one in the current mode and one in the other. The refused PUT itself
 * is never repeated, as its lease may have ended. A result is reused for {@link #COUNTS_FOR}.
 * Thread-safe.
 */
final class ChecksumProbe {
  private static final Duration COUNTS_FOR = Duration.ofSeconds(60);
  private static final int PRECONDITION_FAILED = 412;

  private final Ticker ticker = Ticker.system();
  private final ReentrantLock turn = new ReentrantLock();

  // Guarded by turn.
  private @Nullable Tried last;

  private record Tried(Optional<Checksums> cure, long at) {}

  /** Sends a small object in the given mode, and returns the HTTP status; 0 for no answer. */
  interface Sender {
    int send(String key, Checksums mode);
  }

  /**
   * Returns the mode that the store accepts, if it refuses the present one; null otherwise.
   *
   * @param key the key of the refused object
   */
  @Nullable Checksums cure(String key, Checksums present, Sender sender) {
    turn.lock();
    try {
      Tried finding = last;
      if (finding == null || ticker.nanos() - finding.at() > COUNTS_FOR.toNanos()) {
        finding = new Tried(Optional.ofNullable(tried(key, present, sender)), ticker.nanos());
        last = finding;
      }
      return finding.cure().orElse(null);
    } finally {
      turn.unlock();
    }
  }

  private static @Nullable Checksums tried(String key, Checksums present, Sender sender) {
    Checksums other =
        present == Checksums.WHEN_SUPPORTED ? Checksums.WHEN_REQUIRED : Checksums.WHEN_SUPPORTED;
    String folder = key.substring(0, key.lastIndexOf('/') + 1);
    String test =
        folder.endsWith(ObjectStore.TEST_FOLDER) ? folder : folder + ObjectStore.TEST_FOLDER;
    boolean refused = isRefused(sender.send(test + UUID.randomUUID() + "-checksum", present));
    return refused && isTaken(sender.send(test + UUID.randomUUID() + "-checksum", other))
        ? other
        : null;
  }

  private static boolean isRefused(int status) {
    return status == 400 || status == 411 || status == 501;
  }

  private static boolean isTaken(int status) {
    return status == 200 || status == PRECONDITION_FAILED;
  }
}
