package dev.recorder.producer.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.Sessions;
import dev.recorder.producer.WaitException;
import dev.recorder.producer.WaitException.Reason;
import dev.recorder.time.NamedThreads;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/**
 * Waits until committed transactions are in S3. Any number of threads, up to {@link #MOST}, share
 * one connection and one thread; a slot that is settled tells them, and nobody asks the database
 * again and again. Where it cannot tell (see docs/producers.md) each log is looked at every second.
 *
 * <p>No statement waits in the server, so that a wait keeps nothing there from being cleaned up,
 * however long it is. The connection is opened by the first wait, and again after it was lost:
 * those who wait notice only if their time is up first.
 *
 * <p>One for the life of a service. Thread-safe.
 */
public final class RecordedWaits implements AutoCloseable {
  /** Those who may wait at the same time. */
  public static final int MOST = 10_000;

  /** What the last look at a wait whose time is up may take. */
  private static final Duration LAST_LOOK = Duration.ofSeconds(1);

  private final Ticker ticker;
  private final Semaphore room = new Semaphore(MOST);
  private final WaitLoop loop;
  private final Thread thread;

  /**
   * On a connection of this source, which is kept, and ended by {@link #close}; see {@link
   * Sessions#of}. It must lead to the primary itself, not to a pooler.
   */
  public static RecordedWaits on(DataSource source) {
    return new RecordedWaits(Sessions.of(source, "waits"));
  }

  public RecordedWaits(Sessions sessions) {
    this(sessions, Ticker.system());
  }

  RecordedWaits(Sessions sessions, Ticker ticker) {
    this.ticker = ticker;
    this.loop = new WaitLoop(() -> WaitSession.open(sessions), ticker);
    this.thread = new NamedThreads("recorded-waits").newThread(loop);
    thread.start();
  }

  /**
   * Waits until all rows of a transaction are in objects, and these settled. A transaction without
   * rows in this log counts as recorded when a later one is.
   *
   * @param recorder the log's name
   * @param xid the transaction's number, taken before it was committed
   * @param limit longest wait; zero for a look. Returns at most a second later.
   * @return whether it is recorded; false if it was not in time
   * @throws WaitException if there is no sense in it; see {@link WaitException.Reason}
   */
  public boolean await(String recorder, long xid, Duration limit) throws InterruptedException {
    if (limit.isNegative()) {
      throw new IllegalArgumentException("a limit of " + limit);
    }
    RecorderName name = new RecorderName(recorder);
    if (!room.tryAcquire()) {
      throw new WaitException(Reason.CROWDED, MOST + " are waiting already; wait elsewhere");
    }
    try {
      return await(new Wait(name, xid, until(limit), new CompletableFuture<>()), limit);
    } finally {
      room.release();
    }
  }

  private long until(Duration limit) {
    return ticker.nanos() + limit.toNanos();
  }

  private boolean await(Wait wait, Duration limit) throws InterruptedException {
    try {
      loop.add(wait);
      return wait.told().get(limit.plus(LAST_LOOK).toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof WaitException told) {
        throw new WaitException(told);
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new WaitException(
          Reason.NO_ANSWER,
          "the database does not say whether transaction "
              + Long.toUnsignedString(wait.xid())
              + " is recorded by "
              + wait.recorder());
    } finally {
      wait.told().cancel(false);
    }
  }

  /** Ends the connection; those who wait are told {@link Reason#CLOSED}. */
  @Override
  public void close() {
    loop.close();
    thread.interrupt();
  }
}
