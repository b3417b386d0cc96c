package dev.recorder.operate.orders;

import dev.recorder.operate.orders.OrderQueue.OrderState;
import org.jspecify.annotations.Nullable;

/**
 * The state of an order to hand over a recorder, and of the recorder, in the database.
 *
 * @param takenIn the term of the host that took the order; 0 if none has
 * @param holder the recorder's present holder; null if there is none
 * @param epoch the recorder's latest term
 */
public record SwitchoverStanding(
    OrderState state, long takenIn, @Nullable String holder, long epoch) {}
