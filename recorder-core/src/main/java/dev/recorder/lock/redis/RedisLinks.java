package dev.recorder.lock.redis;

import dev.recorder.lock.Instruments;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The connections that acquisitions and releases share. Thread-safe. */
final class RedisLinks implements AutoCloseable {
  /**
   * A connection that was idle for longer is probed before use. A server does not restart faster.
   */
  private static final long TRUSTED_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

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
   * Makes a call on a connection of its own; an interrupt ends the call with a {@link
   * RedisFailure}.
   *
   * @throws InterruptedException while waiting for a connection; the call was not made then
   */
  <T> T call(Function<RedisLink, T> call) throws InterruptedException {
    if (!permits.tryAcquire(settings.timeoutMillis(), TimeUnit.MILLISECONDS)) {
      throw RedisFailure.crowded(settings);
    }
    try {
      return callOn(open(), call);
    } finally {
      permits.release();
    }
  }

  private <T> T callOn(RedisLink link, Function<RedisLink, T> call) {
    boolean answered = false;
    try {
      T answer = call.apply(link);
      answered = true;
      return answer;
    } finally {
      if (answered) {
        idle.push(new IdleLink(link, instruments.nanos()));
      } else {
        link.close();
      }
      if (!answered || closed) {
        // A fault of one connection often affects all.
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

  /** Closes idle connections now, and others after their call. */
  @Override
  public void close() {
    closed = true;
    closeIdle();
  }
}
