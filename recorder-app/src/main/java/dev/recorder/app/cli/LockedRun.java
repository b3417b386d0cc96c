package dev.recorder.app.cli;

import dev.recorder.app.guard.Guard;
import dev.recorder.app.guard.GuardedCommand;
import dev.recorder.app.guard.Signal;
import dev.recorder.app.guard.Signals;
import dev.recorder.app.guard.UnguardedException;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command under a lock, from the first attempt to the last word about it. The lock is let go of
 * when nothing runs any more.
 *
 * <p>All on one thread, which looks every {@link #LOOK} whether the command has ended, the lease is
 * lost or a signal has come.
 */
final class LockedRun {
  private static final Duration LOOK = Duration.ofMillis(20);

  /** Until what was killed is gone; a process that waits for a dead disk or NFS server is not. */
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

  /** Then, if somebody has ended the guard, processes are killed one by one. */
  private static final Duration GUARD_PATIENCE = Duration.ofMillis(300);

  private static final Ticker TICKER = Ticker.system();
  private static final String LOST = "lost: ";

  private final LockAddress address;
  private final Signals signals;
  private final Patience patience;
  private final Consumer<String> say;

  /**
   * How long to wait.
   *
   * @param forLock for the lock
   * @param forCommand for the command to end by itself after SIGTERM
   */
  record Patience(Duration forLock, Duration forCommand) {}

  LockedRun(LockAddress address, Signals signals, Patience patience, Consumer<String> say) {
    this.address = address;
    this.signals = signals;
    this.patience = patience;
    this.say = say;
  }

  /** Takes the lock, runs the command and lets go of the lock; gives the exit code of it all. */
  int of(DistributedLock lock, Guard guard, List<String> command, boolean quiet)
      throws InterruptedException, UnguardedException {
    Optional<Lease> lease;
    signals.interruptMe();
    try {
      lease = lock.tryAcquire(patience.forLock());
    } catch (InterruptedException | LockException failed) {
      signals.interruptNobody();
      Optional<Signal> signal = signals.poll();
      if (signal.isPresent()) {
        return endedBefore(signal.get());
      }
      throw failed;
    }
    signals.interruptNobody();
    if (lease.isEmpty()) {
      if (!quiet) {
        say.accept("not acquired: " + new WhyNot(address).inWords());
      }
      return ExitCode.TRY_LATER;
    }
    Optional<Signal> signal = signals.poll();
    if (signal.isPresent()) {
      giveBack(lease.get());
      return endedBefore(signal.get());
    }
    return run(lease.get(), guard, command);
  }

  private int endedBefore(Signal signal) {
    say.accept("not acquired: ended by SIG" + signal + " before the command was started");
    return signal.exitCode();
  }

  /** Of a lock under which nothing was done. */
  private void giveBack(Lease lease) {
    lease.complete();
    try {
      lease.close();
    } catch (LockException e) {
      say.accept("not released: " + e.getMessage());
    }
    if (address.kind() == LockKind.TIMEOUT) {
      say.accept("this turn is used up; " + remedy());
    }
  }

  private int run(Lease lease, Guard guard, List<String> command)
      throws InterruptedException, UnguardedException {
    GuardedCommand running;
    try {
      running = guard.start(command, variables(lease));
    } catch (LeaseLostException e) {
      say.accept(LOST + e.problem() + "; the command was not started");
      return ExitCode.LOST;
    } catch (UnguardedException | LockException e) { // No command, or no token for it.
      giveBack(lease);
      throw e;
    }
    Ending ending = await(running, lease);
    try {
      running.requireBegun();
    } catch (UnguardedException e) {
      giveBack(lease);
      throw e;
    }
    if (ending.why() == Why.LOST || lease.state() == LeaseState.LOST) {
      return lost(lossOf(lease), ending);
    }
    if (ending.why() == Why.SIGNAL) {
      return signalled(lease, ending);
    }
    return ended(lease, running.exitCode(), ending);
  }

  private Map<String, String> variables(Lease lease) {
    return Map.of(
        "RECORDER_LOCK_NAME", address.lockId() == null ? address.name() : lease.name(),
        "RECORDER_LOCK_KIND", address.kind().word(),
        "RECORDER_LOCK_TOKEN", Long.toString(lease.token()));
  }

  // ---- while it runs

  private enum Why {
    /** The command ended, and left nothing behind. */
    END,
    /** It ended, and left something behind. */
    REST,
    SIGNAL,
    LOST
  }

  /**
   * How it came to an end.
   *
   * @param signal that it was asked to end by
   * @param killed whether it had to be killed
   * @param gone whether nothing of it runs
   */
  private record Ending(Why why, Signal signal, boolean killed, boolean gone) {
    String inWords() {
      return gone
          ? killed ? " and SIGKILL" : ""
          : " and SIGKILL, but the kernel holds on to a process of it";
    }
  }

  private Ending await(GuardedCommand running, Lease lease) throws InterruptedException {
    while (true) {
      boolean ended = running.awaitEnd(LOOK);
      if (lease.state() == LeaseState.LOST) {
        return end(running, Why.LOST, Signal.TERM);
      }
      Optional<Signal> signal = signals.poll();
      if (signal.isPresent()) {
        return end(running, Why.SIGNAL, signal.get());
      }
      if (ended) {
        return running.isOver()
            ? new Ending(Why.END, Signal.TERM, false, true)
            : end(running, Why.REST, Signal.TERM);
      }
    }
  }

  private Ending end(GuardedCommand running, Why why, Signal signal) throws InterruptedException {
    running.signal(signal);
    long deadline = TICKER.nanos() + patience.forCommand().toNanos();
    while (!running.isOver()) {
      if (TICKER.nanos() - deadline >= 0) {
        running.kill();
        return new Ending(why, signal, true, isGone(running));
      }
      signals.poll().ifPresent(running::signal);
      Pause.sleep(LOOK);
    }
    return new Ending(why, signal, false, true);
  }

  private static boolean isGone(GuardedCommand running) throws InterruptedException {
    long killedAt = TICKER.nanos();
    while (!running.isOver()) {
      long since = TICKER.nanos() - killedAt;
      if (since >= KILL_PATIENCE.toNanos()) {
        return false;
      }
      if (since >= GUARD_PATIENCE.toNanos()) {
        running.killOneByOne();
      }
      Pause.sleep(LOOK);
    }
    return true;
  }

  // ---- afterwards

  private int lost(String loss, Ending ending) {
    say.accept(
        LOST
            + loss
            + (ending.why() == Why.LOST
                ? "; the command was ended with SIGTERM" + ending.inWords()
                : "; it was noticed when the command had ended")
            + "; what it did may not have been alone");
    return ExitCode.LOST;
  }

  private static String lossOf(Lease lease) {
    AtomicReference<@Nullable Loss> loss = new AtomicReference<>();
    lease.lost().thenAccept(loss::set); // At once: it is lost.
    return String.valueOf(loss.get());
  }

  private int signalled(Lease lease, Ending ending) {
    say.accept(
        "the command was ended with SIG"
            + ending.signal()
            + ending.inWords()
            + ", as this process was told"
            + leftTaken());
    return let(lease, ending.signal().exitCode());
  }

  private int ended(Lease lease, int exitCode, Ending ending) {
    if (ending.why() == Why.REST) {
      say.accept("what the command left running was ended with SIGTERM" + ending.inWords());
    }
    if (address.kind() == LockKind.TIMEOUT && lease.remaining().isZero()) {
      say.accept("the command took longer than its turn; somebody else may have had one meanwhile");
    }
    if (exitCode == ExitCode.OK) {
      lease.complete();
    } else {
      say.accept("the command ended with " + Signal.inWords(exitCode) + leftTaken());
    }
    return let(lease, exitCode);
  }

  private int let(Lease lease, int exitCode) {
    try {
      lease.close();
      return exitCode;
    } catch (LeaseLostException e) {
      say.accept(
          LOST
              + e.problem()
              + "; it was noticed when the command had ended; what it did may not have been alone");
      return ExitCode.LOST;
    } catch (LockException e) {
      say.accept(
          "the command ended with "
              + Signal.inWords(exitCode)
              + ", and the release failed: "
              + e.getMessage());
      return exitCode == ExitCode.OK ? ExitCode.of(e) : exitCode;
    }
  }

  /** What a failure leaves behind, and what to do about it. */
  private String leftTaken() {
    return switch (address.kind()) {
      case ADVISORY, REDIS -> "";
      case MUTEX -> "; the lock stays taken until somebody has looked: " + remedy();
      case TIMEOUT -> "; the next turn is when its time is over; " + remedy();
    };
  }

  private String remedy() {
    return "'recorder lock release "
        + address.options()
        + (address.kind() == LockKind.MUTEX ? " --force' releases it" : "' makes it due at once");
  }
}
