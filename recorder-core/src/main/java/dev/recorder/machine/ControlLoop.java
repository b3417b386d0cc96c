package dev.recorder.machine;

import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.ControlSession;
import dev.recorder.leadership.Coordinator;
import dev.recorder.leadership.Signal;
import dev.recorder.machine.shared.PeerWatch;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link Coordinator}: takes what others have to tell it, asks what to do, does it, hands
 * out the signals, in their order. The coordinator is touched by the thread in {@link #turn()}
 * alone.
 *
 * <p>A machine that begins a thousand terms at once has a lot to start. That is done between the
 * actions, of which heartbeats are the first: who starts it all before the next one loses its
 * lease.
 */
final class ControlLoop {
  /** After that the coordinator is asked again what is due. */
  private static final long SIGNALS_FOR = Duration.ofMillis(20).toNanos();

  private final Coordinator coordinator;
  private final ControlSession session;
  private final Ticker ticker;
  private final Consumer<Signal> onSignal;

  /**
   * Bounded by its senders: each worker has at most one ending and one finding to tell, an operator
   * one configuration at a time, a peer's end is reported four times a second.
   */
  private final BlockingQueue<Consumer<Coordinator>> told = new LinkedBlockingQueue<>();

  /** Not handed out yet. Of each recorder few: the beginning of a term, and its end. */
  private final Deque<Signal> signals = new ArrayDeque<>();

  ControlLoop(
      Coordinator coordinator, ControlSession session, Ticker ticker, Consumer<Signal> onSignal) {
    this.coordinator = coordinator;
    this.session = session;
    this.ticker = ticker;
    this.onSignal = onSignal;
  }

  /** Tells the coordinator something, soon, on the loop's thread. Safe for any thread. */
  void tell(Consumer<Coordinator> message) {
    told.add(message);
  }

  /** One turn: one action, or a rest until something is due or told. */
  void turn() throws InterruptedException {
    for (Consumer<Coordinator> message = told.poll(); message != null; message = told.poll()) {
      message.accept(coordinator);
    }
    handOut(SIGNALS_FOR);
    long now = ticker.nanos();
    ControlAction action = coordinator.next(now);
    if (!(action instanceof ControlAction.Rest rest)) {
      perform(action, now);
    } else if (signals.isEmpty()) {
      rest(rest.untilNanos() - now);
    }
  }

  /** Hands out all signals that wait: what follows is to find things as they stand. */
  void handOutAll() {
    handOut(Long.MAX_VALUE);
  }

  private void handOut(long limit) {
    long begun = ticker.nanos();
    for (Signal signal = signals.poll(); signal != null; signal = signals.poll()) {
      onSignal.accept(signal);
      if (ticker.nanos() - begun >= limit) {
        return;
      }
    }
  }

  /** Has the coordinator told at once when the peer ends that matters most to it. */
  void follow(PeerWatch peers) {
    peers.follow(coordinator.peer(), () -> tell(c -> c.peerMayHaveEnded(ticker.nanos())));
  }

  private void rest(long nanos) throws InterruptedException {
    Consumer<Coordinator> message = told.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    acceptIfAny(message);
  }

  private void acceptIfAny(@Nullable Consumer<Coordinator> message) {
    if (message != null) {
      message.accept(coordinator);
    }
  }

  private void perform(ControlAction action, long sentAt) {
    ControlAnswer answer = session.perform(action);
    signals.addAll(coordinator.on(action, sentAt, answer, ticker.nanos()));
    handOut(SIGNALS_FOR);
  }
}
