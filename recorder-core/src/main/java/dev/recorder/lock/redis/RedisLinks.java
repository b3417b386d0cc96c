package dev.recorder.lock.redis;

import dev.recorder.lock.Instruments;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The connections that calls for locks and releases share. Thread-safe. */
final class RedisLinks implements AutoCloseable {
  /**
   * After that long a connection is asked whether it still is one before it is used. A server does
   * not restart faster.
   */
  private static final long TRUSTED_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** What is asked on a connection. */
  @FunctionalInterface
  interface Call<T> {
    T on(RedisLink link);
  }

  private record IdleLink(RedisLink link, long since) {}

  private final RedisSettings settings;
  private final String client;
  private final Instruments instruments;
  private final Semaphore permits;
  private final ConcurrentLinkedDeque<IdleLink> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  RedisLinks(RedisSettings settings, String client, int most, Instruments instruments) {
    this.settings = settings;
    this.client = client;
    this.instruments = instruments;
    this.permits = new Semaphore(most, true);
  }

  /**
   * Asks on a connection of its own; an interrupt ends it with a {@link RedisFailure}.
   *
   * @throws InterruptedException if it waited for a connection; nothing was asked then
   */
  <T> T call(Call<T> call) throws InterruptedException {
    if (!permits.tryAcquire(settings.timeoutMillis(), TimeUnit.MILLISECONDS)) {
      throw RedisFailure.crowded(settings);
    }
    try {
      return callOn(open(), call);
    } finally {
      permits.release();
    }
  }

  private <T> T callOn(RedisLink link, Call<T> call) {
    boolean answered = false;
    try {
      T answer = call.on(link);
      answered = true;
      return answer;
    } finally {
      if (answered) {
        idle.push(new IdleLink(link, instruments.nanos()));
      } else {
        link.close();
      }
      if (!answered || closed) {
        // What broke one has often broken all.
        closeIdle();
      }
    }
  }

  private RedisLink open() {
    IdleLink candidate = idle.poll();
    if (candidate != null) {
      if (instruments.nanos() - candidate.since() < TRUSTED_NANOS || candidate.link().isAlive()) {
        return candidate.link();
      }
      candidate.link().close();
      closeIdle();
    }
    return RedisLink.open(settings, client);
  }

  private void closeIdle() {
    IdleLink next;
    while ((next = idle.poll()) != null) {
      next.link().close();
    }
  }

  /** Closes what is idle now, and what is in use as soon as it is not. */
  @Override
  public void close() {
    closed = true;
    closeIdle();
  }
}
