package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.lock.CommandSupervisor.CommandEnd;
import dev.recorder.app.cli.lock.CommandSupervisor.CommandEndReason;
import dev.recorder.app.guard.Guard;
import dev.recorder.app.guard.GuardFailedException;
import dev.recorder.app.guard.GuardedCommand;
import dev.recorder.app.guard.Signals;
import dev.recorder.app.guard.UnixSignal;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command under a lock, from the first attempt to the last message. Releases the lock once
 * no process of the command runs. For one thread.
 */
final class GuardedRun {
  private static final String LOST = "lost: ";

  private final LockAddress address;
  private final Signals signals;
  private final WaitLimits limits;
  private final Consumer<String> say;

  /**
   * Limits for waiting.
   *
   * @param forLock how long to wait for the lock
   * @param forCommand how long the command may take to end by itself after SIGTERM
   */
  record WaitLimits(Duration forLock, Duration forCommand) {}

  GuardedRun(LockAddress address, Signals signals, WaitLimits limits, Consumer<String> say) {
    this.address = address;
    this.signals = signals;
    this.limits = limits;
    this.say = say;
  }

  /** Takes the lock, runs the command, releases the lock and returns the exit code. */
  int of(DistributedLock lock, Guard guard, List<String> command, NotAcquiredReason why)
      throws InterruptedException, GuardFailedException {
    Optional<Lease> lease;
    signals.interruptMe();
    try {
      lease = new LockAcquisition(lock, limits.forLock(), why.quiet() ? line -> {} : say).lease();
    } catch (InterruptedException | LockException failed) {
      signals.interruptNobody();
      Optional<UnixSignal> signal = signals.poll();
      if (signal.isPresent()) {
        return endedBefore(signal.get());
      }
      throw failed;
    }
    signals.interruptNobody();
    if (lease.isEmpty()) {
      why.told().ifPresent(words -> say.accept("not acquired: " + words));
      return ExitCode.TRY_LATER;
    }
    Optional<UnixSignal> signal = signals.poll();
    if (signal.isPresent()) {
      giveBack(lease.get());
      return endedBefore(signal.get());
    }
    return run(lease.get(), guard, command);
  }

  private int endedBefore(UnixSignal signal) {
    say.accept("not acquired: ended by SIG" + signal + " before the command was started");
    return signal.exitCode();
  }

  /** Releases a lock under which no command ran. */
  private void giveBack(Lease lease) {
    lease.complete();
    letGo(lease);
    if (address.kind() == LockKind.TIMEOUT) {
      say.accept("this turn is used up; " + remedy());
    }
  }

  private void letGo(Lease lease) {
    try {
      lease.close();
    } catch (LockException e) {
      say.accept("not released: " + e.getMessage());
    }
  }

  private int run(Lease lease, Guard guard, List<String> command)
      throws InterruptedException, GuardFailedException {
    GuardedCommand running;
    try {
      Map<String, String> variables = variables(lease);
      if (!address.kind().isRow()) { // A row stays taken after its holder's end.
        guard.vouchFor(lease::remaining);
      }
      running = guard.start(command, variables);
    } catch (LeaseLostException e) {
      say.accept(LOST + e.problem() + "; the command was not started");
      return ExitCode.LOST;
    } catch (GuardFailedException | LockException e) { // Not started, or without a token.
      giveBack(lease);
      throw e;
    }
    CommandEnd ending =
        new CommandSupervisor(running, lease, guard, signals, limits.forCommand()).awaitEnd(say);
    try {
      running.requireBegun();
    } catch (GuardFailedException e) {
      giveBack(lease);
      throw e;
    }
    if (running.wasKilledByItsGuard()) {
      return stoodStill(lease, ending);
    }
    if (ending.why() == CommandEndReason.LOST || lease.state() == LeaseState.LOST) {
      return lost(lossOf(lease), ending);
    }
    if (ending.why() == CommandEndReason.SIGNAL) {
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

  // ---- After the end of the command

  private int lost(String loss, CommandEnd ending) {
    say.accept(
        LOST
            + loss
            + (ending.why() == CommandEndReason.LOST
                ? "; the command was ended with SIGTERM" + ending.inWords()
                : ending.left().isEmpty()
                    ? "; it was noticed when the command had ended"
                    : ending.survivors())
            + "; another process may have worked at the same time");
    return ExitCode.LOST;
  }

  /** Reports that the guard killed the command in time, so that it never ran without the lock. */
  private int stoodStill(Lease lease, CommandEnd ending) {
    boolean gone = lease.state() == LeaseState.LOST;
    say.accept(
        LOST
            + "this process stood still until the lock %s; its guard ended the command with SIGKILL before that%s"
                .formatted(gone ? "had run out" : "was about to run out", ending.survivors()));
    if (!gone) {
      letGo(lease);
    }
    return ExitCode.LOST;
  }

  private static String lossOf(Lease lease) {
    AtomicReference<@Nullable Loss> loss = new AtomicReference<>();
    lease.lost().thenAccept(loss::set); // Runs at once: the lease is lost.
    return String.valueOf(loss.get());
  }

  private int signalled(Lease lease, CommandEnd ending) {
    say.accept(
        "the command was ended with SIG%s%s, as this process was told%s"
            .formatted(ending.signal(), ending.inWords(), leftTaken()));
    return let(lease, ending.signal().exitCode());
  }

  private int ended(Lease lease, int exitCode, CommandEnd ending) {
    if (ending.why() == CommandEndReason.REST) {
      say.accept("what the command left running was ended with SIGTERM" + ending.inWords());
    }
    if (address.kind() == LockKind.TIMEOUT && lease.remaining().isZero()) {
      say.accept(
          "the command took longer than its turn; another process may have had one meanwhile");
    }
    if (exitCode == ExitCode.OK) {
      lease.complete();
    } else {
      say.accept("the command ended with " + UnixSignal.inWords(exitCode) + leftTaken());
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
              + "; it was noticed when the command had ended; another process may have worked at the same time");
      return ExitCode.LOST;
    } catch (LockException e) {
      say.accept(
          "the command ended with %s, and whether the lock is released is not known: %s"
              .formatted(UnixSignal.inWords(exitCode), e.getMessage()));
      return exitCode == ExitCode.OK ? ExitCode.RELEASE_UNKNOWN : exitCode;
    }
  }

  /**
   * Returns the state of the lock after a failure, and the remedy; empty if the lock is released.
   */
  private String leftTaken() {
    return switch (address.kind()) {
      case ADVISORY, REDIS -> "";
      case MUTEX -> "; the lock stays taken until an operator releases it: " + remedy();
      case TIMEOUT -> "; the next turn is when its time is over; " + remedy();
    };
  }

  private String remedy() {
    return "'recorder lock release "
        + address.options()
        + (address.kind() == LockKind.MUTEX ? " --force' releases it" : "' makes it due at once");
  }
}
