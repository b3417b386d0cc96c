package dev.recorder.lock.election;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockException;
import dev.recorder.logging.LogContext;
import dev.recorder.time.Fatal;
import dev.recorder.time.NamedThreads;
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
 * One of a fleet of workers, of which only the lock's holder works. Starts idle.
 *
 * <p>One thread lives the {@link LifeCycle}, and looks at its lease every {@link #LOOK}: so long,
 * and the time-out of the lock service, is what anything may take to be noticed. Methods are for
 * any thread.
 *
 * <p>A failing lock service is asked again, every {@code retry}, forever; a lock whose lease ran
 * out, at once when the work has ended: nobody took it away, so perhaps nobody else has it. Whether
 * somebody had it in between is not known then, and so that is another term. The log tells each
 * change of state and what the service said when that changed.
 */
public final class ElectedWorker implements AutoCloseable {
  /** How often the lease is looked at. */
  public static final Duration LOOK = Duration.ofMillis(50);

  private final String worker;
  private final DistributedLock lock;
  private final Duration retry;
  private final ElectedWork work;
  private final Ticker ticker;
  private final WorkerLog log;
  private final Thread thread;

  // Bounded by its senders: each state asks for one answer, and callers are few.
  private final BlockingQueue<Told> events = new LinkedBlockingQueue<>();
  private volatile WorkerState state = new WorkerState.Idle();
  private volatile boolean closed;

  // For the worker's thread.
  private final HeldLease held = new HeldLease();
  private int term;
  private boolean failed;
  private @Nullable Long retryAt;

  /**
   * What the worker was told.
   *
   * @param term of which it holds; 0 of any
   * @param failed whether the work that has ended did
   */
  private record Told(WorkerEvent event, int term, boolean failed) {
    Told(WorkerEvent event) {
      this(event, 0, false);
    }
  }

  /**
   * A worker that takes no part yet.
   *
   * @param worker its id, which stands in every line of the log
   * @param retry the pause before a lock that was not available is asked for again
   */
  public ElectedWorker(
      String worker, DistributedLock lock, Duration retry, ElectedWork work, Ticker ticker) {
    this(worker, lock, retry, work, new Supervision(ticker, Fatal.OF_PROCESS));
  }

  /**
   * The same.
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
        new NamedThreads("elected-worker-" + lock.name(), supervision.fatal())
            .newThread(this::live);
    thread.start();
  }

  /** Takes part from now on. */
  public void start() {
    events.add(new Told(WorkerEvent.START));
  }

  /** Ends the work, gives the lock back, and leaves the election. */
  public void stop() {
    events.add(new Told(WorkerEvent.STOP));
  }

  /** Ends the work and gives the lock back; asks for it again after the pause. */
  public void yieldTurn() {
    events.add(new Told(WorkerEvent.YIELD));
  }

  public WorkerState state() {
    return state;
  }

  /** Stops, and ends the thread when that is done. */
  public void retire() {
    stop();
    closed = true;
  }

  /** Retires, and waits for that up to {@code limit}; what is not done then is done later. */
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
        Told told = nextEvent();
        // The end of a former term's work may come when it was taken for ended, as it had failed.
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

  /** Nobody ends this thread by an interrupt: one is a mistake of code that was called on it. */
  private @Nullable Told nextEvent() {
    try {
      return events.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException meantForNobody) {
      return null;
    }
  }

  /** Nobody renews the lock any more: it must not be kept, nor worked under. */
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
    // Before it works, nobody would act on a loss.
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
      LifeCycle.LifeCycleStep step = LifeCycle.on(state, next);
      log.changed(state, next, step.state());
      state = step.state();
      step.effects().forEach(effect -> tryToPerform(effect, left));
    }
  }

  /**
   * The worker survives any failure: a lock without its worker would be kept forever. What the work
   * throws may be any exception, declared or not; and an interrupt that it leaves must not reach
   * the lock service, whose calls it would end.
   */
  private void tryToPerform(WorkerEffect effect, Deque<WorkerEvent> left) {
    try {
      perform(effect, left);
    } catch (LockException noToken) { // Others of the lock's do not come here.
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

  /** What was said meanwhile comes before the answer: a grant after a STOP is given back. */
  private void acquire() {
    try {
      Optional<Lease> granted = lock.tryAcquire();
      log.answers();
      granted.ifPresent(held::granted);
      events.add(new Told(granted.isPresent() ? WorkerEvent.ACQUIRED : WorkerEvent.NOT_ACQUIRED));
    } catch (LockException e) {
      log.failed(e);
      events.add(new Told(WorkerEvent.NOT_ACQUIRED));
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
                  events.add(new Told(WorkerEvent.WORK_ENDED, mine, failure != null)));
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
