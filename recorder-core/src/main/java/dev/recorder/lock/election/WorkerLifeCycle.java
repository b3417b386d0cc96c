package dev.recorder.lock.election;

import dev.recorder.lock.election.WorkerState.AcquiringLock;
import dev.recorder.lock.election.WorkerState.Cleanup;
import dev.recorder.lock.election.WorkerState.Idle;
import dev.recorder.lock.election.WorkerState.PauseWork;
import dev.recorder.lock.election.WorkerState.ReleasingLock;
import dev.recorder.lock.election.WorkerState.RenewLock;
import dev.recorder.lock.election.WorkerState.WaitingToAcquireLock;
import dev.recorder.lock.election.WorkerState.Working;
import java.util.List;

/**
 * The life cycle of an elected worker. Pure. The states are those of the usual state machine for
 * locks of expiring keys. An event that is not listed for a state does not change the state.
 *
 * <p>Work starts once per grant, never without a lock, and never after STOP: a grant that comes
 * later is given back. A lock is released after the work has ended. A lost lock is not released,
 * since another worker may have it.
 */
public final class WorkerLifeCycle {
  private WorkerLifeCycle() {}

  /** A new state, and the effects of entering it, in order. */
  public record WorkerTransition(WorkerState state, List<WorkerEffect> effects) {
    public WorkerTransition {
      effects = List.copyOf(effects);
    }
  }

  /** Returns the transition for {@code event} in {@code state}. */
  public static WorkerTransition on(WorkerState state, WorkerEvent event) {
    if (state instanceof Idle) {
      return onIdle(state, event);
    } else if (state instanceof AcquiringLock acquiring) {
      return onAcquiring(acquiring, event);
    } else if (state instanceof WaitingToAcquireLock) {
      return onWaiting(state, event);
    } else if (state instanceof Working || state instanceof RenewLock) {
      return onWorking(state, event);
    } else if (state instanceof PauseWork pause) {
      return onPause(pause, event);
    } else if (state instanceof Cleanup cleanup) {
      return onCleanup(cleanup, event);
    }
    return onReleasing((ReleasingLock) state, event);
  }

  private static WorkerTransition onIdle(WorkerState idle, WorkerEvent event) {
    return switch (event) {
      case START -> to(new AcquiringLock(false), WorkerEffect.ACQUIRE_LOCK);
      case ACQUIRED -> to(new ReleasingLock(true), WorkerEffect.RELEASE_LOCK);
      default -> to(idle);
    };
  }

  private static WorkerTransition onAcquiring(AcquiringLock acquiring, WorkerEvent event) {
    boolean stopping = acquiring.stopping();
    return switch (event) {
      case START -> to(new AcquiringLock(false));
      case STOP -> to(new AcquiringLock(true));
      case ACQUIRED ->
          stopping
              ? to(new ReleasingLock(true), WorkerEffect.RELEASE_LOCK)
              : to(new Working(), WorkerEffect.START_WORK);
      case NOT_ACQUIRED -> rest(stopping);
      default -> to(acquiring);
    };
  }

  private static WorkerTransition onWaiting(WorkerState waiting, WorkerEvent event) {
    return switch (event) {
      case RETRY_DUE -> to(new AcquiringLock(false), WorkerEffect.ACQUIRE_LOCK);
      case STOP -> to(new Idle());
      default -> to(waiting);
    };
  }

  private static WorkerTransition onWorking(WorkerState working, WorkerEvent event) {
    return switch (event) {
      case DOUBTED -> to(new RenewLock());
      case RENEWED -> to(new Working());
      case LOST -> to(new PauseWork(false), WorkerEffect.HALT_WORK);
      case YIELD -> to(new Cleanup(false), WorkerEffect.STOP_WORK);
      case STOP -> to(new Cleanup(true), WorkerEffect.STOP_WORK);
      case WORK_ENDED -> to(new ReleasingLock(false), WorkerEffect.RELEASE_LOCK);
      default -> to(working);
    };
  }

  private static WorkerTransition onPause(PauseWork pause, WorkerEvent event) {
    return switch (event) {
      case START -> to(new PauseWork(false));
      case STOP -> to(new PauseWork(true));
      case WORK_ENDED -> rest(pause.stopping());
      default -> to(pause);
    };
  }

  private static WorkerTransition onCleanup(Cleanup cleanup, WorkerEvent event) {
    return switch (event) {
      case START -> to(new Cleanup(false));
      case STOP -> to(new Cleanup(true));
      case LOST -> to(new PauseWork(cleanup.stopping()), WorkerEffect.HALT_WORK);
      case WORK_ENDED -> to(new ReleasingLock(cleanup.stopping()), WorkerEffect.RELEASE_LOCK);
      default -> to(cleanup);
    };
  }

  private static WorkerTransition onReleasing(ReleasingLock releasing, WorkerEvent event) {
    return switch (event) {
      case START -> to(new ReleasingLock(false));
      case STOP -> to(new ReleasingLock(true));
      case LOST, RELEASED -> rest(releasing.stopping());
      default -> to(releasing);
    };
  }

  private static WorkerTransition rest(boolean stopping) {
    return stopping ? to(new Idle()) : to(new WaitingToAcquireLock(), WorkerEffect.SCHEDULE_RETRY);
  }

  private static WorkerTransition to(WorkerState state, WorkerEffect... effects) {
    return new WorkerTransition(state, List.of(effects));
  }
}
