package dev.recorder.slotlog;

import java.util.ArrayList;
import java.util.List;

/**
 * The effects a writer wants done, and the two tickets whose answers it still awaits: one for the
 * way of the current slot, one for what is done beside it, which is building ahead or, in a
 * recovery, a second look at the store. Any other answer is late, and changes nothing.
 */
final class PendingEffects {
  private static final long NONE = 0;

  private final List<Ticketed> effects = new ArrayList<>();
  private long tickets;
  private long awaited = NONE;
  private long awaitedBeside = NONE;

  void send(Effect effect) {
    awaited = add(effect);
  }

  void sendBeside(Effect effect) {
    awaitedBeside = add(effect);
  }

  /** Sends the last effect; no answer counts from now on. */
  void sendLast(Effect effect) {
    add(effect);
    awaited = NONE;
    awaitedBeside = NONE;
  }

  /** Whether the answer under {@code ticket} is the awaited one; it then no longer is. */
  boolean take(long ticket) {
    boolean expected = ticket == awaited && ticket != NONE;
    awaited = expected ? NONE : awaited;
    return expected;
  }

  /** As {@link #take}, for what is done beside. */
  boolean takeBeside(long ticket) {
    boolean expected = ticket == awaitedBeside && ticket != NONE;
    awaitedBeside = expected ? NONE : awaitedBeside;
    return expected;
  }

  boolean awaitsBeside() {
    return awaitedBeside != NONE;
  }

  void forgetBeside() {
    awaitedBeside = NONE;
  }

  /** What was sent since the last call. */
  List<Ticketed> drain() {
    List<Ticketed> drained = List.copyOf(effects);
    effects.clear();
    return drained;
  }

  private long add(Effect effect) {
    effects.add(new Ticketed(++tickets, effect));
    return tickets;
  }
}
