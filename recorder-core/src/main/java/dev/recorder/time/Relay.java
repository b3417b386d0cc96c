package dev.recorder.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Hands bytes on to a sink in their order, on another thread while the next ones come.
 *
 * <p>They go in stages of {@value #STAGE} bytes, since each call costs something; what is no longer
 * than one never leaves its own thread. Whoever appends waits when {@value #MOST_WAITING} stages
 * do; they wait for a processor and nothing else. One thread at a time appends, and it alone
 * flushes or closes.
 */
public final class Relay implements AutoCloseable {
  /** Most bytes of one call of the sink, except those of an append with more. */
  public static final int STAGE = 32 * 1024;

  static final int MOST_WAITING = 8;

  private final Executor threads;
  private final ByteSink sink;
  private RelayBuffer filling = new RelayBuffer();

  /** Of the thread that appends. */
  private int handedOn;

  private volatile int done;

  @GuardedBy("this")
  private final Deque<RelayBuffer> waiting = new ArrayDeque<>();

  /** Empty ones. */
  @GuardedBy("this")
  private final Deque<RelayBuffer> spare = new ArrayDeque<>();

  /** Whether some thread hands on what waits, or is about to. */
  @GuardedBy("this")
  private boolean busy;

  /** What the sink has failed with. */
  @GuardedBy("this")
  private @Nullable Throwable failure;

  /** Takes bytes; called by one thread at a time, each of which sees what those before it did. */
  @FunctionalInterface
  public interface ByteSink {
    /** Must not keep the array. */
    void take(byte[] source, int from, int count);
  }

  /** On which threads relays do their work. */
  @FunctionalInterface
  public interface Threads {
    /** On that of whoever appends. */
    Threads NONE = sink -> new Relay(Runnable::run, sink);

    /** A relay to this sink. */
    Relay to(ByteSink sink);

    /**
     * On those of an executor.
     *
     * @param executor may run a task at once or later; if it refuses one, it is done by whoever
     *     appends. It must not drop one.
     */
    static Threads of(Executor executor) {
      return sink -> new Relay(executor, sink);
    }
  }

  /** Bytes on their way. */
  private static final class RelayBuffer {
    private final byte[] bytes = new byte[STAGE];
    private int length;
  }

  private Relay(Executor threads, ByteSink sink) {
    this.threads = threads;
    this.sink = sink;
  }

  /**
   * Takes bytes, which may be changed afterwards.
   *
   * @throws IllegalStateException if the sink has failed; if with an {@link Error}, that
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

  /** Bytes that the sink has not taken yet, whole stages of them, and those being filled not. */
  public long onTheirWay() {
    return (long) (handedOn - done) * STAGE;
  }

  /** Returns when the sink has everything. Throws as {@link #append} does. */
  public void flush() {
    awaitSink();
    sink.take(filling.bytes, 0, filling.length);
    filling.length = 0;
  }

  /** The sink is no longer called, whatever it has not taken. */
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
      RelayBuffer empty = spare.poll();
      filling = empty == null ? new RelayBuffer() : empty;
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
      fail(noThread); // Else whoever closes this waits for a task that never runs.
      throw noThread;
    }
  }

  private void work() {
    try {
      for (RelayBuffer stage = next(null); stage != null; stage = next(stage)) {
        sink.take(stage.bytes, 0, stage.length);
      }
    } catch (Throwable met) {
      fail(met);
    }
  }

  /** Also with an {@link Error}: the thread that appends meets it, where it is dealt with. */
  private synchronized void fail(Throwable met) {
    failure = met;
    waiting.clear();
    busy = false;
    notifyAll();
  }

  private synchronized @Nullable RelayBuffer next(@Nullable RelayBuffer taken) {
    if (taken != null) {
      taken.length = 0;
      spare.add(taken);
      done++;
    }
    RelayBuffer stage = waiting.poll();
    busy = stage != null;
    notifyAll();
    return stage;
  }

  private synchronized void awaitSink() {
    awaitUntil(0);
    throwFailure();
  }

  /** Waits while the sink works and at least so many stages wait; not to be interrupted. */
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
