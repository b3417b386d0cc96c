/**
 * For operators: one session ({@link dev.recorder.operate.Inspection}) on which everything is
 * looked at and ordered. Looks at all wings; no wing looks back. Here may not live: arguments,
 * formats and exit codes of commands, which are the application's. No thread lives here or below:
 * everything runs on the caller's.
 *
 * <p>{@code orders} has what operators ask of machines, {@code site} what lies in a database,
 * {@code diagnosis} what that means, {@code rebase} the repair after a restore. {@code diagnosis}
 * knows {@code site}, both know {@code orders}; the rebase stands alone.
 */
@NullMarked
package dev.recorder.operate;

import org.jspecify.annotations.NullMarked;
