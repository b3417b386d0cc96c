package dev.recorder.producer.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.Sessions;
import dev.recorder.producer.WaitException;
import dev.recorder.producer.WaitException.Reason;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/**
 * Waits until committed transactions are in S3. Up to {@link #MOST} threads share one connection
 * and one thread, which is notified of each settled slot instead of polling the database. If
 * notifications are not certain (see docs/producers.md), it reads each log's position every second.
 *
 * <p>No statement waits in the server, so a wait does not hold back the removal of old row
 * versions. The first wait opens the connection, and a lost connection is reopened. Waiting threads
 * notice a loss only if their time limit passes before.
 *
 * <p>Use one instance for the life of a service. Thread-safe.
 */
public final class RecordedWaits implements AutoCloseable {
  /** The most concurrent waits. */
  public static final int MOST = 10_000;

  /** The time for the last query of a wait whose time limit has passed. */
  private static final Duration LAST_LOOK = Duration.ofSeconds(1);

  private final Ticker ticker;
  private final Semaphore room = new Semaphore(MOST);
  private final WaitLoop loop;
  private final Thread thread;

  /**
   * Makes waits that use one connection of this source, and end it in {@link #close}; see {@link
   * Sessions#of}. The source must lead to the primary itself, not to a pooler.
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
    this.thread = new NamedThreadFactory("recorded-waits").newThread(loop);
    thread.start();
  }

  /**
   * Waits until all rows of a transaction are in objects of settled slots. A transaction without
   * rows in this log counts as recorded when a later transaction is recorded.
   *
   * @param recorder the log's name
   * @param xid the transaction's number, taken before its commit
   * @param limit longest wait; zero for one query. The method returns at most a second later.
   * @return whether it was recorded in time
   * @throws WaitException if waiting is useless; see {@link WaitException.Reason}
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
      return await(new RecordingWait(name, xid, until(limit), new CompletableFuture<>()), limit);
    } finally {
      room.release();
    }
  }

  private long until(Duration limit) {
    return ticker.nanos() + limit.toNanos();
  }

  private boolean await(RecordingWait wait, Duration limit) throws InterruptedException {
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

  /** Ends the connection. Waiting threads get {@link Reason#CLOSED}. */
  @Override
  public void close() {
    loop.close();
    thread.interrupt();
  }
}
