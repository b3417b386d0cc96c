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

  /**
   * Until what was killed is gone. A process that waits for a dead disk or NFS server is not, and
   * one of another user, as sudo makes it, cannot be killed by this one.
   */
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

  /** Then, if somebody has ended the guard, processes are killed one by one. */
  private static final Duration GUARD_PATIENCE = Duration.ofMillis(300);

  /** How often is looked for what cannot be ended, perhaps for hours. */
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
   * @param left what runs in spite of that; empty unless the lease is lost
   */
  record CommandEnd(EndReason why, UnixSignal signal, boolean killed, String left) {
    String inWords() {
      return (killed ? " and SIGKILL" : "") + survivors();
    }

    /** Begins with a comma. */
    String survivors() {
      return left.isEmpty() ? "" : ", but " + left + " still runs: end it as that user, or as root";
    }
  }

  /**
   * Waits for the end, and causes it if the lease is lost or a signal has come. As long as anything
   * runs a lease that is not lost is kept.
   *
   * @param say told what cannot be ended
   */
  CommandEnd awaitEnd(Consumer<String> say) throws InterruptedException {
    while (true) {
      boolean ended = running.awaitEnd(LOOK);
      if (lease.state() == LeaseState.LOST) {
        return end(EndReason.LOST, UnixSignal.TERM, say);
      }
      vouch();
      Optional<UnixSignal> signal = signals.poll();
      if (signal.isPresent()) {
        return end(EndReason.SIGNAL, signal.get(), say);
      }
      if (ended) {
        return running.isOver()
            ? new CommandEnd(EndReason.END, UnixSignal.TERM, false, "")
            : end(EndReason.REST, UnixSignal.TERM, say);
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

  private CommandEnd end(EndReason why, UnixSignal signal, Consumer<String> say)
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

  /** Keeps the lease while anything runs; what runs when it is lost, or nothing. */
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
      signals.poll(); // There is nothing more to be done for it.
      long lookAt = TICKER.nanos() + LOOK_AGAIN.toNanos();
      while (TICKER.nanos() - lookAt < 0) {
        vouch();
        Pause.sleep(VOUCH);
      }
    }
    return "";
  }
}
