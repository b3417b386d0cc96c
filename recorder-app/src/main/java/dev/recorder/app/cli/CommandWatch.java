package dev.recorder.app.cli;

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

/**
 * A command while it runs: looks every {@link #LOOK} whether it has ended, its lease is lost or a
 * signal has come, and brings it to its end. Every {@link #VOUCH} it says to the guard until when
 * the command may run by what is left of the lease, so that a process that does not come to look
 * lets nothing run on either.
 */
final class CommandWatch {
  private static final Duration LOOK = Duration.ofMillis(20);

  /** A fifth of the time after which the guard takes who vouches for asleep. */
  private static final Duration VOUCH = Duration.ofMillis(100);

  /** What the guard lets pass before it sends the SIGKILL that this process did not send. */
  private static final Duration GUARDS_DELAY = Duration.ofSeconds(1);

  /** Until what was killed is gone; a process that waits for a dead disk or NFS server is not. */
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

  /** Then, if somebody has ended the guard, processes are killed one by one. */
  private static final Duration GUARD_PATIENCE = Duration.ofMillis(300);

  private static final Ticker TICKER = Ticker.system();

  private final GuardedCommand running;
  private final Lease lease;
  private final Guard guard;
  private final Signals signals;
  private final Duration grace;
  private final boolean vouches;
  private long vouchedAt;

  /**
   * Of a command that was started by this thread.
   *
   * @param grace for the command to end by itself after SIGTERM
   */
  CommandWatch(GuardedCommand running, Lease lease, Guard guard, Signals signals, Duration grace) {
    this.running = running;
    this.lease = lease;
    this.guard = guard;
    this.signals = signals;
    this.grace = grace;
    this.vouches = guard.isVouchedFor();
    this.vouchedAt = TICKER.nanos();
  }

  /** Why it came to an end. */
  enum EndReason {
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
  record CommandEnd(EndReason why, UnixSignal signal, boolean killed, boolean gone) {
    String inWords() {
      return gone
          ? killed ? " and SIGKILL" : ""
          : " and SIGKILL, but the kernel holds on to a process of it";
    }
  }

  /** Waits for the end, and causes it if the lease is lost or a signal has come. */
  CommandEnd awaitEnd() throws InterruptedException {
    while (true) {
      boolean ended = running.awaitEnd(LOOK);
      if (lease.state() == LeaseState.LOST) {
        return end(EndReason.LOST, UnixSignal.TERM);
      }
      vouch();
      Optional<UnixSignal> signal = signals.poll();
      if (signal.isPresent()) {
        return end(EndReason.SIGNAL, signal.get());
      }
      if (ended) {
        return running.isOver()
            ? new CommandEnd(EndReason.END, UnixSignal.TERM, false, true)
            : end(EndReason.REST, UnixSignal.TERM);
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

  private CommandEnd end(EndReason why, UnixSignal signal) throws InterruptedException {
    long deadline = TICKER.nanos() + grace.toNanos();
    boolean lost = false;
    running.signal(signal);
    while (!running.isOver()) {
      if (TICKER.nanos() - deadline >= 0) {
        running.kill();
        return new CommandEnd(why, signal, true, isGone());
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
    return new CommandEnd(why, signal, false, true);
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
      Pause.sleep(LOOK);
    }
    return true;
  }
}
