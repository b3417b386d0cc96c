package dev.recorder.operate.orders;

import dev.recorder.operate.orders.OrderQueue.OrderState;
import org.jspecify.annotations.Nullable;

/**
 * What the database knows of an order to hand a recorder over, and of the recorder.
 *
 * @param takenIn the term of the machine that took the order; 0 if nobody has
 * @param holder who has the recorder now; null if nobody has
 * @param epoch the latest term
 */
public record SwitchoverStanding(
    OrderState state, long takenIn, @Nullable String holder, long epoch) {}
