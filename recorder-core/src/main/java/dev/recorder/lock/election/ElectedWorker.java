package dev.recorder.lock.election;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockException;
import dev.recorder.logging.LogContext;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Supervision;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One of a fleet of workers; only the holder of the lock works. Initially idle.
 *
 * <p>One thread runs the {@link WorkerLifeCycle} and checks the lease every {@link #LOOK}. That
 * interval and the time-out of the lock service limit the delay of all reactions. Methods are
 * thread-safe.
 *
 * <p>After a failure of the lock service, the lock is requested again every {@code retry}, without
 * limit. After a lease ran out, the lock is requested again as soon as the work has ended, since
 * the lock may still be free. This is a new term, since another worker may have had the lock in
 * between. Each change of state is logged, and each new message of the lock service.
 */
public final class ElectedWorker implements AutoCloseable {
  /** How often the lease is checked. */
  public static final Duration LOOK = Duration.ofMillis(50);

  private final String worker;
  private final DistributedLock lock;
  private final Duration retry;
  private final ElectedWork work;
  private final Ticker ticker;
  private final WorkerLog log;
  private final Thread thread;

  // Bounded by its senders: each state expects one answer, and callers are few.
  private final BlockingQueue<WorkerMessage> events = new LinkedBlockingQueue<>();
  private volatile WorkerState state = new WorkerState.Idle();
  private volatile boolean closed;

  // Used by the worker's thread only.
  private final WorkerLease held = new WorkerLease();
  private int term;
  private boolean failed;
  private @Nullable Long retryAt;

  /**
   * An event for the worker.
   *
   * @param term the term that the event is for; 0 for any
   * @param failed whether the work ended with a failure
   */
  private record WorkerMessage(WorkerEvent event, int term, boolean failed) {
    WorkerMessage(WorkerEvent event) {
      this(event, 0, false);
    }
  }

  /**
   * Creates a worker that does not take part yet.
   *
   * @param worker the worker's id, for log lines
   * @param retry the pause before a lock that was not available is requested again
   */
  public ElectedWorker(
      String worker, DistributedLock lock, Duration retry, ElectedWork work, Ticker ticker) {
    this(worker, lock, retry, work, new Supervision(ticker, FatalErrorHandler.OF_PROCESS));
  }

  /**
   * Creates a worker that does not take part yet, under supervision.
   *
   * @param supervision notified of an {@link Error} on the worker's thread; the error ends the work
   *     and the thread
   */
  public ElectedWorker(
      String worker,
      DistributedLock lock,
      Duration retry,
      ElectedWork work,
      Supervision supervision) {
    this.worker = worker;
    this.lock = lock;
    this.retry = retry;
    this.work = work;
    this.ticker = supervision.ticker();
    this.log = new WorkerLog(worker, lock.name());
    this.thread =
        new NamedThreadFactory("elected-worker-" + lock.name(), supervision.fatal())
            .newThread(this::live);
    thread.start();
  }

  public void start() {
    events.add(new WorkerMessage(WorkerEvent.START));
  }

  /** Ends the work, releases the lock, and leaves the election. */
  public void stop() {
    events.add(new WorkerMessage(WorkerEvent.STOP));
  }

  /** Ends the work and releases the lock; requests the lock again after the pause. */
  public void yieldTurn() {
    events.add(new WorkerMessage(WorkerEvent.YIELD));
  }

  public WorkerState state() {
    return state;
  }

  /** Stops, and then ends the thread. */
  public void retire() {
    stop();
    closed = true;
  }

  /** Retires, and waits up to {@code limit} for the end; unfinished work continues. */
  public void close(Duration limit) throws InterruptedException {
    retire();
    thread.join(Math.max(1, limit.toMillis()));
  }

  /** Stops, with ten seconds for the work to end. */
  @Override
  public void close() {
    try {
      close(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void live() {
    try (LogContext context = LogContext.of(worker)) {
      while (!closed || !events.isEmpty() || !(state instanceof WorkerState.Idle)) {
        WorkerMessage told = nextEvent();
        // The failed work of an earlier term may report its end late.
        if (told != null && (told.term() == 0 || told.term() == term)) {
          failed |= told.failed();
          on(told.event());
        }
        lookAtLease();
        if (retryAt != null && ticker.nanos() - retryAt >= 0) {
          retryAt = null;
          on(WorkerEvent.RETRY_DUE);
        }
      }
    } catch (RuntimeException | Error fatal) {
      letGo();
      throw fatal;
    }
  }

  /**
   * Returns the next message. An interrupt does not end this thread, since only faulty code can
   * have caused it.
   */
  private @Nullable WorkerMessage nextEvent() {
    try {
      return events.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException meantForNobody) {
      return null;
    }
  }

  /** Ends work and lock, since the lock is not renewed any more. */
  private void letGo() {
    closed = true;
    failed = true;
    try {
      work.halt();
    } finally {
      release();
      state = new WorkerState.Idle();
    }
  }

  private void lookAtLease() {
    boolean holds =
        state instanceof WorkerState.Working
            || state instanceof WorkerState.RenewLock
            || state instanceof WorkerState.Cleanup;
    // Before the work has started, there is no work to halt after a loss.
    WorkerEvent change = holds ? held.change() : null;
    if (change != null) {
      on(change);
    }
  }

  private void on(WorkerEvent event) {
    Deque<WorkerEvent> left = new ArrayDeque<>();
    left.add(event);
    while (!left.isEmpty()) {
      WorkerEvent next = left.remove();
      WorkerLifeCycle.WorkerTransition step = WorkerLifeCycle.on(state, next);
      log.changed(state, next, step.state());
      state = step.state();
      step.effects().forEach(effect -> tryToPerform(effect, left));
    }
  }

  /**
   * Performs an effect. The worker survives any exception, since a lock without its worker would be
   * kept forever. An interrupt that the work left behind is cleared, since it would end calls to
   * the lock service.
   */
  private void tryToPerform(WorkerEffect effect, Deque<WorkerEvent> left) {
    try {
      perform(effect, left);
    } catch (LockException noToken) { // Other failures of the lock are already handled.
      log.failed(noToken);
      goOnAfterFailure(effect, left);
    } catch (Exception bug) {
      log.bug(effect, bug);
      goOnAfterFailure(effect, left);
    } finally {
      var unused = Thread.interrupted();
    }
  }

  private void goOnAfterFailure(WorkerEffect effect, Deque<WorkerEvent> left) {
    failed = true;
    switch (effect) {
      case ACQUIRE_LOCK -> left.add(WorkerEvent.NOT_ACQUIRED);
      case START_WORK, STOP_WORK, HALT_WORK -> {
        term++;
        left.add(WorkerEvent.WORK_ENDED);
      }
      case RELEASE_LOCK -> left.add(WorkerEvent.RELEASED);
      case SCHEDULE_RETRY -> {}
    }
  }

  private void perform(WorkerEffect effect, Deque<WorkerEvent> left) {
    switch (effect) {
      case ACQUIRE_LOCK -> acquire();
      case SCHEDULE_RETRY -> retryAt = ticker.nanos() + (held.hasRunOut() ? 0 : retry.toNanos());
      case START_WORK -> startWork();
      case STOP_WORK -> work.stop();
      case HALT_WORK -> work.halt();
      case RELEASE_LOCK -> {
        release();
        left.add(WorkerEvent.RELEASED);
      }
    }
  }

  /**
   * Requests the lock. Events queued meanwhile come before the answer, so a grant after a STOP is
   * given back.
   */
  private void acquire() {
    try {
      Optional<Lease> granted = lock.tryAcquire();
      log.answers();
      granted.ifPresent(held::granted);
      events.add(
          new WorkerMessage(granted.isPresent() ? WorkerEvent.ACQUIRED : WorkerEvent.NOT_ACQUIRED));
    } catch (LockException e) {
      log.failed(e);
      events.add(new WorkerMessage(WorkerEvent.NOT_ACQUIRED));
    }
  }

  private void startWork() {
    failed = false;
    Lease lease = held.lease();
    if (lease != null) {
      int mine = ++term;
      work.start(lease)
          .whenComplete(
              (ended, failure) ->
                  events.add(new WorkerMessage(WorkerEvent.WORK_ENDED, mine, failure != null)));
    }
  }

  private void release() {
    if (held.lease() == null) {
      return;
    }
    try {
      held.release(!failed);
      log.answers();
    } catch (LockException e) {
      log.failed(e);
    }
  }
}
