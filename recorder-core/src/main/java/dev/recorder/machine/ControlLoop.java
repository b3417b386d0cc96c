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
 * Runs a {@link Coordinator}: passes messages to it, performs its next action, and hands out the
 * resulting signals in order. Only the thread in {@link #turn()} touches the coordinator.
 *
 * <p>The beginning of a thousand terms at once takes long. Therefore signals are handed out in
 * slices between actions, and heartbeats are the first actions. Otherwise the host would lose its
 * lease before the next heartbeat.
 */
final class ControlLoop {
  /** The longest time for which signals are handed out before the coordinator is asked again. */
  private static final long SIGNALS_FOR = Duration.ofMillis(20).toNanos();

  private final Coordinator coordinator;
  private final ControlSession session;
  private final Ticker ticker;
  private final Consumer<Signal> onSignal;

  /**
   * Messages to the coordinator. Its senders bound it: each worker has at most one ending and one
   * finding to report, an operator one configuration at a time, and the end of a peer is reported
   * at most four times a second.
   */
  private final BlockingQueue<Consumer<Coordinator>> told = new LinkedBlockingQueue<>();

  /**
   * Signals that are not handed out yet. There are few per recorder: the beginning and the end of a
   * term.
   */
  private final Deque<Signal> signals = new ArrayDeque<>();

  ControlLoop(
      Coordinator coordinator, ControlSession session, Ticker ticker, Consumer<Signal> onSignal) {
    this.coordinator = coordinator;
    this.session = session;
    this.ticker = ticker;
    this.onSignal = onSignal;
  }

  /** Has {@code message} run soon on the loop's thread. For any thread. */
  void tell(Consumer<Coordinator> message) {
    told.add(message);
  }

  /** Performs one action, or rests until an action is due or a message arrives. */
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

  /** Hands out all waiting signals, so that the caller sees their effects. */
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

  /** Has the coordinator told at once when the peer that it watches ends. */
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
