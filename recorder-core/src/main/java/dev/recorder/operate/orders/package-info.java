/**
 * What operators ask of machines, and what became of it: to hand a recorder over ({@link
 * dev.recorder.operate.orders.Switchovers}), to pause it ({@link
 * dev.recorder.operate.orders.Pauses}), to verify it ({@link
 * dev.recorder.operate.orders.Verdicts}), to drain a host or read its file again ({@link
 * dev.recorder.operate.orders.OrderQueue}). Here may not live: what a machine does about an order,
 * which {@code machine} decides.
 *
 * <p>Its SQL stands beside what it answers. Runs on the thread and session of an {@code
 * Inspection}; only {@link dev.recorder.operate.orders.MachineOrders} are taken by machines, on
 * their control session.
 */
@NullMarked
package dev.recorder.operate.orders;

import org.jspecify.annotations.NullMarked;
