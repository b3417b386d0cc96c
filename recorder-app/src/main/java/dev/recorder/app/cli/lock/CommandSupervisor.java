package dev.recorder.app.cli.lock;

import dev.recorder.app.guard.Guard;
import dev.recorder.app.guard.GuardedCommand;
import dev.recorder.app.guard.Signals;
import dev.recorder.app.guard.UnixSignal;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseState;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Watches a running command. Every {@link #LOOK} it checks whether the command has ended, the lease
 * is lost or a signal has arrived. On loss or signal it ends the command. Every {@link #VOUCH} it
 * tells the guard how long the lease still lasts, so that the guard ends the command in time if
 * this process is suspended.
 */
final class CommandSupervisor {
  private static final Duration LOOK = Duration.ofMillis(20);

  /**
   * A fifth of the time without a message after which the guard considers this process suspended.
   */
  private static final Duration VOUCH = Duration.ofMillis(100);

  /** How long the guard leaves it to this process to send SIGKILL, before the guard sends it. */
  private static final Duration GUARDS_DELAY = Duration.ofSeconds(1);

  /**
   * How long a killed process may take to disappear. A process that waits for a dead disk or NFS
   * server does not disappear. A process of another user, such as under sudo, cannot be killed by
   * this process.
   */
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

  /** After this time processes are killed one by one, in case the guard itself was killed. */
  private static final Duration GUARD_PATIENCE = Duration.ofMillis(300);

  /** Interval between looks at processes that cannot be ended, which may take hours. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private static final Ticker TICKER = Ticker.system();

  private final GuardedCommand running;
  private final Lease lease;
  private final Guard guard;
  private final Signals signals;
  private final Duration grace;
  private final boolean vouches;
  private long vouchedAt;

  /**
   * Creates a supervisor.
   *
   * @param grace how long the command may take to end by itself after SIGTERM
   */
  CommandSupervisor(
      GuardedCommand running, Lease lease, Guard guard, Signals signals, Duration grace) {
    this.running = running;
    this.lease = lease;
    this.guard = guard;
    this.signals = signals;
    this.grace = grace;
    this.vouches = guard.isVouchedFor();
    this.vouchedAt = TICKER.nanos();
  }

  /** Why the command ended. */
  enum CommandEndReason {
    /** The command ended by itself and left no process behind. */
    END,
    /** The command ended by itself and left processes behind. */
    REST,
    SIGNAL,
    LOST
  }

  /**
   * How the command ended.
   *
   * @param signal the signal that asked the command to end
   * @param killed whether it had to be killed
   * @param left the processes that survived; empty unless the lease is lost
   */
  record CommandEnd(CommandEndReason why, UnixSignal signal, boolean killed, String left) {
    String inWords() {
      return (killed ? " and SIGKILL" : "") + survivors();
    }

    /** Returns the survivors in words that begin with a comma; empty if there are none. */
    String survivors() {
      return left.isEmpty() ? "" : ", but " + left + " still runs: end it as that user, or as root";
    }
  }

  /**
   * Waits for the end of the command, and ends the command if the lease is lost or a signal
   * arrives. Keeps the lease while any process of the command runs.
   *
   * @param say receives messages on processes that cannot be ended
   */
  CommandEnd awaitEnd(Consumer<String> say) throws InterruptedException {
    while (true) {
      boolean ended = running.awaitEnd(LOOK);
      if (lease.state() == LeaseState.LOST) {
        return end(CommandEndReason.LOST, UnixSignal.TERM, say);
      }
      vouch();
      Optional<UnixSignal> signal = signals.poll();
      if (signal.isPresent()) {
        return end(CommandEndReason.SIGNAL, signal.get(), say);
      }
      if (ended) {
        return running.isOver()
            ? new CommandEnd(CommandEndReason.END, UnixSignal.TERM, false, "")
            : end(CommandEndReason.REST, UnixSignal.TERM, say);
      }
    }
  }

  private void vouch() {
    long now = TICKER.nanos();
    if (vouches && now - vouchedAt >= VOUCH.toNanos()) {
      vouchedAt = now;
      guard.vouchFor(lease::remaining);
    }
  }

  private CommandEnd end(CommandEndReason why, UnixSignal signal, Consumer<String> say)
      throws InterruptedException {
    long deadline = TICKER.nanos() + grace.toNanos();
    boolean lost = false;
    running.signal(signal);
    while (!running.isOver()) {
      if (TICKER.nanos() - deadline >= 0) {
        running.kill();
        return new CommandEnd(why, signal, true, isGone() ? "" : outlived(say));
      }
      if (lease.state() != LeaseState.LOST) {
        vouch();
      } else if (vouches && !lost) {
        lost = true;
        guard.vouchFor(() -> Duration.ofNanos(deadline - TICKER.nanos()).plus(GUARDS_DELAY));
      }
      signals.poll().ifPresent(running::signal);
      Pause.sleep(LOOK);
    }
    return new CommandEnd(why, signal, false, "");
  }

  private boolean isGone() throws InterruptedException {
    long killedAt = TICKER.nanos();
    while (!running.isOver()) {
      long since = TICKER.nanos() - killedAt;
      if (since >= KILL_PATIENCE.toNanos()) {
        return false;
      }
      if (since >= GUARD_PATIENCE.toNanos()) {
        running.killOneByOne();
      }
      vouch();
      Pause.sleep(LOOK);
    }
    return true;
  }

  /**
   * Keeps the lease while any process survives. Returns the survivors if the lease is lost; empty
   * once no process is left.
   */
  private String outlived(Consumer<String> say) throws InterruptedException {
    String told = "";
    while (!running.isOver()) {
      String left = running.left();
      if (lease.state() == LeaseState.LOST) {
        return left;
      }
      if (!left.isEmpty() && !left.equals(told)) {
        say.accept(
            "SIGKILL has not ended %s: end it as that user, or as root; the lock is kept until then"
                .formatted(left));
        told = left;
      }
      running.killOneByOne();
      signals.poll(); // Further signals have no effect.
      long lookAt = TICKER.nanos() + LOOK_AGAIN.toNanos();
      while (TICKER.nanos() - lookAt < 0) {
        vouch();
        Pause.sleep(VOUCH);
      }
    }
    return "";
  }
}
