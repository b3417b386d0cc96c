/**
 * Runs a command that cannot outlive this process, for whom it is allowed to run only as long as a
 * lock is held. Signals, sessions and process groups are those of POSIX; what is left of a session
 * is found in {@code /proc}.
 *
 * <p>Knows no locks. One thread starts a command, waits for it and ends it.
 */
@NullMarked
package dev.recorder.app.guard;

import org.jspecify.annotations.NullMarked;
