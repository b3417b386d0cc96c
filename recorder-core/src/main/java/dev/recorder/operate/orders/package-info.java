/**
 * Operators' orders to hosts, and their results: to hand a recorder over ({@link
 * dev.recorder.operate.orders.Switchovers}), to pause it ({@link
 * dev.recorder.operate.orders.Pauses}), to verify it ({@link
 * dev.recorder.operate.orders.Verdicts}), to drain a host or read its file again ({@link
 * dev.recorder.operate.orders.OrderQueue}). {@code machine} decides how a host carries out an
 * order.
 *
 * <p>Each query's SQL is beside its method. All runs on the thread and session of an {@code
 * Inspection}, except {@link dev.recorder.operate.orders.MachineOrders}, which hosts use on their
 * control session.
 */
@NullMarked
package dev.recorder.operate.orders;

import org.jspecify.annotations.NullMarked;
