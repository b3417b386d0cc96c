package dev.recorder.slotlog;

import java.util.ArrayList;
import java.util.List;

/**
 * The effects that a writer has requested, and the two tickets whose answers it awaits. One ticket
 * is for the current slot. The other is for an effect beside it: building ahead or, in a recovery,
 * a second look at the store. Any other answer is late and changes nothing.
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

  /** Sends the last effect. All later answers are ignored. */
  void sendLast(Effect effect) {
    add(effect);
    awaited = NONE;
    awaitedBeside = NONE;
  }

  /**
   * Returns whether the answer under {@code ticket} is the awaited one. If so, none is awaited
   * afterwards.
   */
  boolean take(long ticket) {
    boolean expected = ticket == awaited && ticket != NONE;
    awaited = expected ? NONE : awaited;
    return expected;
  }

  /** As {@link #take}, for the effect beside the current slot. */
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

  /** Returns the effects that were sent since the last call. */
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
