package dev.recorder.lock.redis;

import dev.recorder.lock.Instruments;

/** The server, the worker and the options of a {@link RedisLocks}. */
record RedisContext(
    RedisSettings settings, String worker, RedisLockOptions options, Instruments instruments) {
  RedisContext {
    KeyClaim.checkedWorker(worker);
    if (settings.timeout().compareTo(options.renewal()) >= 0) {
      throw new IllegalArgumentException(
          "redis lock: timeout must be less than a third of expiry, is "
              + settings.timeout()
              + " of "
              + options.expiry());
    }
  }

  long nanos() {
    return instruments.nanos();
  }

  /** Whether a lease of a request sent at {@code sentAt} has run out. */
  boolean isOver(long sentAt) {
    return nanos() - sentAt - options.validity().toNanos() >= 0;
  }
}
