package dev.recorder.slotlog;

import java.util.ArrayList;
import java.util.List;

/**
 * The effects a writer wants done, and the two tickets whose answers it still awaits: one for the
 * way of the slot at hand, one for building ahead. Any other answer is late, and changes nothing.
 */
final class Outbox {
  private static final long NONE = 0;

  private final List<Ticketed> effects = new ArrayList<>();
  private long tickets;
  private long awaited = NONE;
  private long awaitedAhead = NONE;

  void send(Effect effect) {
    awaited = add(effect);
  }

  void sendAhead(Effect effect) {
    awaitedAhead = add(effect);
  }

  /** Sends the last effect; no answer counts from now on. */
  void sendLast(Effect effect) {
    add(effect);
    awaited = NONE;
    awaitedAhead = NONE;
  }

  /** Whether the answer under {@code ticket} is the awaited one; it then no longer is. */
  boolean take(long ticket) {
    boolean expected = ticket == awaited && ticket != NONE;
    awaited = expected ? NONE : awaited;
    return expected;
  }

  /** As {@link #take}, for building ahead. */
  boolean takeAhead(long ticket) {
    boolean expected = ticket == awaitedAhead && ticket != NONE;
    awaitedAhead = expected ? NONE : awaitedAhead;
    return expected;
  }

  boolean awaitsAhead() {
    return awaitedAhead != NONE;
  }

  void forgetAhead() {
    awaitedAhead = NONE;
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
