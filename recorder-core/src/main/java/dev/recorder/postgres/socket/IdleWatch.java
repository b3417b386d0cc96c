package dev.recorder.postgres.socket;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads a session's connection while the driver does not, so that the end of the session is noticed
 * at once, before the next use.
 *
 * <p>On an idle session the server sends only the session's end. The session's user announces when
 * an operation begins and ends. Some milliseconds after the end of an operation, a thread of this
 * class blocks in a read. Bytes that it reads are kept for the driver's next read. Operations in
 * close succession never wait for the thread.
 */
public final class IdleWatch implements AutoCloseable {
  private static final NamedThreadFactory THREADS = new NamedThreadFactory("session-watch");

  /** The shortest idle time before a session is read. */
  private static final Duration REST = Duration.ofMillis(4);

  /** The pause of the thread if the session cannot be read. Then the thread only ticks. */
  private static final Duration UNREAD_REST = Duration.ofMillis(100);

  /** The longest duration of one read of the watching thread, by which its tick may be late. */
  private static final int SLICE_MILLIS = 200;

  private final Runnable somethingCame;
  private final Runnable tick;
  private final Ticker ticker = Ticker.system();

  // Guarded by this; the watching thread owns the bytes while it reads.
  private final byte[] kept = new byte[8192];

  @GuardedBy("this")
  private int from;

  @GuardedBy("this")
  private int to;

  @GuardedBy("this")
  private boolean reading;

  @GuardedBy("this")
  private boolean atEnd;

  @GuardedBy("this")
  private @Nullable IOException failure;

  @GuardedBy("this")
  private @Nullable WatchedSocket socket;

  private volatile int operations;
  private volatile boolean closed;

  /**
   * Makes a watch for a session that is not yet open.
   *
   * @param somethingCame called by the watching thread when it has read the end of the connection,
   *     or bytes that no operation requested; the next operation also reads them
   * @param tick called by the watching thread repeatedly, at least five times a second
   */
  public IdleWatch(Runnable somethingCame, Runnable tick) {
    this.somethingCame = somethingCame;
    this.tick = tick;
  }

  /** Starts the watch of the open session. */
  public void start() {
    THREADS.newThread(this::watch).start();
  }

  /** Announces that an operation begins. Operations run one at a time. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time
  public void begin() {
    operations++;
  }

  /** Announces that the operation has ended. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time
  public void end() {
    operations++;
  }

  @Override
  public void close() {
    closed = true;
  }

  private static boolean isIdle(int operations) {
    return operations % 2 == 0;
  }

  private void watch() {
    try {
      int seen = operations;
      Duration rest = canRead() ? REST : UNREAD_REST;
      while (!closed) {
        tick.run();
        Pause.sleepRegardless(rest); // A callback of the tick may have left an interrupt.
        if (seen == operations && isIdle(seen)) {
          readWhileIdle(seen);
        }
        seen = operations;
      }
    } catch (RuntimeException | Error unwatched) {
      giveUp(unwatched);
      throw unwatched;
    }
  }

  private synchronized boolean canRead() {
    return socket != null;
  }

  /** Lets the next operation fail instead of waiting for a reader that has ended. */
  private synchronized void giveUp(Throwable why) {
    closed = true;
    reading = false;
    failure = new IOException("the watch of the session has failed: " + why);
    notifyAll();
  }

  private void readWhileIdle(int seen) {
    WatchedSocket watched = mayRead(seen);
    if (watched == null) {
      return;
    }
    int count = 0;
    IOException failed = null;
    try {
      count = watched.read(kept, 0, kept.length, SLICE_MILLIS);
    } catch (SocketTimeoutException nothing) {
      // Nothing arrived, or an operation has begun and waits.
    } catch (IOException e) {
      failed = e;
    }
    synchronized (this) {
      reading = false;
      from = 0;
      to = Math.max(0, count);
      atEnd = count < 0;
      failure = failed;
      notifyAll();
    }
    if (count != 0 || failed != null) {
      if (seen == operations && !closed) {
        somethingCame.run();
      }
      awaitOperation(seen);
    }
  }

  private synchronized @Nullable WatchedSocket mayRead(int seen) {
    boolean may = operations == seen && from == to && !atEnd && failure == null && socket != null;
    reading = may;
    return may ? socket : null;
  }

  /** Waits until the next operation fetches the bytes. */
  private void awaitOperation(int seen) {
    while (seen == operations && !closed) {
      tick.run();
      Pause.sleepRegardless(REST);
    }
  }

  synchronized void connected(WatchedSocket watched) {
    socket = watched;
  }

  /**
   * Reads for the driver: kept bytes, or bytes of the connection. The time-out covers both. After a
   * time-out the socket is closed, because closing TLS by the driver would wait for an answer once
   * more.
   */
  int read(WatchedSocket watched, byte[] into, int offset, int length) throws IOException {
    try {
      int left;
      synchronized (this) {
        left = awaitReader(watched.getSoTimeout());
        if (from < to) {
          int count = Math.min(length, to - from);
          System.arraycopy(kept, from, into, offset, count);
          from += count;
          return count;
        } else if (failure != null) {
          throw failure;
        } else if (atEnd) {
          return -1;
        }
      }
      return watched.read(into, offset, length, left);
    } catch (SocketTimeoutException noAnswer) {
      watched.close();
      throw noAnswer;
    }
  }

  /**
   * Waits until the watching thread does not read. Returns the milliseconds left of the time-out.
   */
  @GuardedBy("this")
  private int awaitReader(int timeout) throws IOException {
    if (!reading) {
      return timeout;
    }
    long limit = timeout == 0 ? Integer.MAX_VALUE : timeout;
    long deadline = ticker.nanos() + limit * 1_000_000;
    boolean interrupted = false;
    int left = (int) limit;
    while (reading) {
      try {
        wait(left);
      } catch (InterruptedException later) {
        // A session with a half-read answer would be useless.
        interrupted = true;
      }
      left = (int) ((deadline - ticker.nanos()) / 1_000_000);
      if (left <= 0) {
        throw new SocketTimeoutException("no answer within " + timeout + " ms");
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return timeout == 0 ? 0 : left;
  }

  synchronized int available() {
    return to - from;
  }
}
