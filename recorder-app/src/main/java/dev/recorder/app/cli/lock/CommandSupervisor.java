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
 * Watches a running command: checks every {@link #LOOK} whether it has ended, its lease is lost or
 * a signal has arrived, and ends it then. Every {@link #VOUCH} it tells the guard how long the
 * lease still lasts. If this process is suspended, the guard ends the command in time.
 */
final class CommandSupervisor {
  private static final Duration LOOK = Duration.ofMillis(20);

  /** A fifth of the silence after which the guard considers this process suspended. */
  private static final Duration VOUCH = Duration.ofMillis(100);

  /** How long the guard waits for this process to send SIGKILL before it does. */
  private static final Duration GUARDS_DELAY = Duration.ofSeconds(1);

  /**
   * How long a killed process may take to disappear. One that waits for a dead disk or NFS server
   * does not, and this process cannot kill one of another user, as sudo makes it.
   */
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

  /** After that, in case the guard itself was killed, processes are killed one by one. */
  private static final Duration GUARD_PATIENCE = Duration.ofMillis(300);

  /** Interval of looking for processes that cannot be ended, perhaps for hours. */
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
   * @param grace time for the command to end by itself after SIGTERM
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
    /** By itself, leaving no process behind. */
    END,
    /** By itself, leaving processes behind. */
    REST,
    SIGNAL,
    LOST
  }

  /**
   * How the command ended.
   *
   * @param signal that it was asked to end with
   * @param killed whether it had to be killed
   * @param left processes that survived; empty unless the lease is lost
   */
  record CommandEnd(CommandEndReason why, UnixSignal signal, boolean killed, String left) {
    String inWords() {
      return (killed ? " and SIGKILL" : "") + survivors();
    }

    /** Begins with a comma, or is empty. */
    String survivors() {
      return left.isEmpty() ? "" : ", but " + left + " still runs: end it as that user, or as root";
    }
  }

  /**
   * Waits for the end of the command, and ends it if the lease is lost or a signal arrives. While
   * any of its processes runs, the lease is kept.
   *
   * @param say receives what cannot be ended
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

  /** Keeps the lease while any process survives. Returns the survivors once the lease is lost. */
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
