/**
 * For operators. Facts: status, notes, explanations, takeovers, what lies in a database ({@link
 * dev.recorder.operate.Inspection}). Orders: to pause a recorder ({@link
 * dev.recorder.operate.Pauses}), to move it ({@link dev.recorder.operate.Switchovers}), to drain a
 * host, to have it read its file again and such ({@link dev.recorder.operate.OrderQueue}). And the
 * repair after a restore ({@link dev.recorder.operate.Rebase}).
 *
 * <p>Looks at all wings; no wing looks back. Its SQL stands beside what it answers: a question goes
 * across several wings' tables on one session, and would belong to none of them. Here may not live:
 * what a machine does about an order, which {@code machine} decides; arguments, formats and exit
 * codes of commands, which are the application's. No thread lives here: everything runs on the
 * caller's, on a session of its own; only {@link dev.recorder.operate.MachineOrders} are taken by
 * machines, on their control session.
 */
@NullMarked
package dev.recorder.operate;

import org.jspecify.annotations.NullMarked;
