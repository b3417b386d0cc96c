/**
 * For operators: {@link dev.recorder.operate.Inspection} is the one session for all looks and
 * orders. It uses all wings, and no wing uses it. This package has no arguments, output or exit
 * codes of commands, which the application has. It has no threads; all runs on the caller's thread,
 * also in the packages below.
 *
 * <p>{@code orders} has operators' orders to hosts, {@code site} the facts from the database,
 * {@code diagnosis} their meaning, {@code rebase} the repair after a restore. {@code diagnosis}
 * uses {@code site}, and both use {@code orders}; {@code rebase} uses none of them.
 */
@NullMarked
package dev.recorder.operate;

import org.jspecify.annotations.NullMarked;
