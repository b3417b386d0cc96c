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
 * One of a fleet of workers, of which only the holder of the lock works. Initially idle.
 *
 * <p>One thread runs the {@link WorkerLifeCycle} and checks the lease every {@link #LOOK}; that
 * time and the time-out of the lock service limit how late anything is noticed. Methods are
 * thread-safe.
 *
 * <p>A failing lock service is asked again every {@code retry}, forever. A lock whose lease ran out
 * is asked for as soon as the work has ended: it was not taken away, so perhaps it is still free.
 * As another worker may have had it in between, this is a new term. Each change of state is logged,
 * and each new message of the lock service.
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

  // Bounded by its senders: each state asks for one answer, and callers are few.
  private final BlockingQueue<WorkerMessage> events = new LinkedBlockingQueue<>();
  private volatile WorkerState state = new WorkerState.Idle();
  private volatile boolean closed;

  // For the worker's thread.
  private final WorkerLease held = new WorkerLease();
  private int term;
  private boolean failed;
  private @Nullable Long retryAt;

  /**
   * An event for the worker.
   *
   * @param term the term that it is for; 0 for any
   * @param failed whether the work that has ended had failed
   */
  private record WorkerMessage(WorkerEvent event, int term, boolean failed) {
    WorkerMessage(WorkerEvent event) {
      this(event, 0, false);
    }
  }

  /**
   * A worker that does not take part yet.
   *
   * @param worker its id, which stands in every line of the log
   * @param retry the pause before a lock that was not available is asked for again
   */
  public ElectedWorker(
      String worker, DistributedLock lock, Duration retry, ElectedWork work, Ticker ticker) {
    this(worker, lock, retry, work, new Supervision(ticker, FatalErrorHandler.OF_PROCESS));
  }

  /**
   * As above.
   *
   * @param supervision notified of an {@link Error} on the worker's thread, which ends the work and
   *     the thread
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

  /** Ends the work and releases the lock; asks for it again after the pause. */
  public void yieldTurn() {
    events.add(new WorkerMessage(WorkerEvent.YIELD));
  }

  public WorkerState state() {
    return state;
  }

  /** Stops, and ends the thread when that is done. */
  public void retire() {
    stop();
    closed = true;
  }

  /** Retires, and waits for that up to {@code limit}; what is not done by then continues. */
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
        // The work of a former term may report its end after it was considered ended because it had
        // failed.
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

  /** No interrupt ends this thread: one comes from faulty code that ran on it. */
  private @Nullable WorkerMessage nextEvent() {
    try {
      return events.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException meantForNobody) {
      return null;
    }
  }

  /** The lock is no longer renewed: it must not be kept, nor worked under. */
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
    // Before the work starts there is nothing to halt on a loss.
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
   * The worker survives any exception: a lock without its worker would be kept forever. An
   * interrupt left by the work is cleared, because it would end calls to the lock service.
   */
  private void tryToPerform(WorkerEffect effect, Deque<WorkerEvent> left) {
    try {
      perform(effect, left);
    } catch (LockException noToken) { // Other failures of the lock are handled before.
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

  /** Events queued meanwhile come before the answer: a grant after a STOP is given back. */
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
