package dev.recorder.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Passes bytes to a sink in order, on another thread, while the caller appends further bytes.
 *
 * <p>Bytes are passed in stages of {@value #STAGE}, because each call has a cost. If there is no
 * more than one stage of bytes, the sink runs on the caller's thread. {@link #append} blocks while
 * {@value #MOST_WAITING} stages are queued. Queued stages wait only for a processor. Only one
 * thread at a time appends, and only that thread flushes or closes.
 */
public final class ByteQueue implements AutoCloseable {
  /** The most bytes of one call of the sink, unless one append has more. */
  public static final int STAGE = 32 * 1024;

  static final int MOST_WAITING = 8;

  private final Executor threads;
  private final ByteSink sink;
  private QueuedBytes filling = new QueuedBytes();

  /** Used only by the thread that appends. */
  private int handedOn;

  private volatile int done;

  @GuardedBy("this")
  private final Deque<QueuedBytes> waiting = new ArrayDeque<>();

  /** Buffers to use again. */
  @GuardedBy("this")
  private final Deque<QueuedBytes> spare = new ArrayDeque<>();

  /** Whether a thread passes queued stages to the sink, or is about to. */
  @GuardedBy("this")
  private boolean busy;

  @GuardedBy("this")
  private @Nullable Throwable failure;

  /**
   * Receives the bytes. Called by one thread at a time; each call sees the effects of earlier
   * calls.
   */
  @FunctionalInterface
  public interface ByteSink {
    /** Takes bytes. Must not keep the array. */
    void take(byte[] source, int from, int count);
  }

  /** Makes queues whose sinks run on chosen threads. */
  @FunctionalInterface
  public interface Threads {
    /** Runs the sink on the thread that appends. */
    Threads NONE = sink -> new ByteQueue(Runnable::run, sink);

    ByteQueue to(ByteSink sink);

    /**
     * Runs the sink on the threads of an executor.
     *
     * @param executor may run a task at once or later, and must not drop a task. If it rejects a
     *     task, the thread that appends runs the task.
     */
    static Threads of(Executor executor) {
      return sink -> new ByteQueue(executor, sink);
    }
  }

  private static final class QueuedBytes {
    private final byte[] bytes = new byte[STAGE];
    private int length;
  }

  private ByteQueue(Executor threads, ByteSink sink) {
    this.threads = threads;
    this.sink = sink;
  }

  /**
   * Takes bytes; the caller may reuse the array afterwards.
   *
   * @throws IllegalStateException if the sink has failed with an exception; an {@link Error} of the
   *     sink is thrown as it is
   */
  public void append(byte[] source, int from, int count) {
    if (count > STAGE - filling.length) {
      handOn();
    }
    if (count > STAGE) {
      awaitSink();
      sink.take(source, from, count);
    } else {
      System.arraycopy(source, from, filling.bytes, filling.length, count);
      filling.length += count;
    }
  }

  /**
   * Returns the number of bytes in stages that the sink has not taken yet. The stage that is being
   * filled does not count.
   */
  public long onTheirWay() {
    return (long) (handedOn - done) * STAGE;
  }

  /** Returns when the sink has taken everything. Throws as {@link #append} does. */
  public void flush() {
    awaitSink();
    sink.take(filling.bytes, 0, filling.length);
    filling.length = 0;
  }

  /** Waits for the running call of the sink, and drops the bytes that the sink has not taken. */
  @Override
  public synchronized void close() {
    waiting.clear();
    awaitUntil(0);
  }

  private void handOn() {
    boolean begins;
    synchronized (this) {
      awaitUntil(MOST_WAITING);
      throwFailure();
      waiting.add(filling);
      QueuedBytes empty = spare.poll();
      filling = empty == null ? new QueuedBytes() : empty;
      begins = !busy;
      busy = true;
    }
    handedOn++;
    if (begins) {
      begin();
    }
  }

  private void begin() {
    try {
      threads.execute(this::work);
    } catch (RejectedExecutionException stopping) {
      work();
    } catch (RuntimeException | Error noThread) {
      fail(noThread); // Otherwise close() waits for a task that never runs.
      throw noThread;
    }
  }

  private void work() {
    try {
      for (QueuedBytes stage = next(null); stage != null; stage = next(stage)) {
        sink.take(stage.bytes, 0, stage.length);
      }
    } catch (Throwable met) {
      fail(met);
    }
  }

  /** Keeps the failure, also an {@link Error}: the appending thread throws it. */
  private synchronized void fail(Throwable met) {
    failure = met;
    waiting.clear();
    busy = false;
    notifyAll();
  }

  private synchronized @Nullable QueuedBytes next(@Nullable QueuedBytes taken) {
    if (taken != null) {
      taken.length = 0;
      spare.add(taken);
      done++;
    }
    QueuedBytes stage = waiting.poll();
    busy = stage != null;
    notifyAll();
    return stage;
  }

  private synchronized void awaitSink() {
    awaitUntil(0);
    throwFailure();
  }

  /** Waits while the sink works and at least {@code fewer} stages are queued; not interruptible. */
  private synchronized void awaitUntil(int fewer) {
    boolean interrupted = false;
    while (busy && waiting.size() >= fewer) {
      try {
        wait();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void throwFailure() {
    if (failure instanceof Error fatal) {
      throw fatal;
    } else if (failure != null) {
      throw new IllegalStateException("what was handed on could not be taken", failure);
    }
  }
}
