/**
 * For operators: status, takeovers, inspection of a database, and the repair after a restore
 * ({@link dev.recorder.operate.Rebase}).
 *
 * <p>Looks at all wings; no wing looks back. Each works on a session of its own, on the thread of
 * whoever calls; but for {@link dev.recorder.operate.MachineOrders}, which machines take on theirs.
 */
@NullMarked
package dev.recorder.operate;

import org.jspecify.annotations.NullMarked;
