/**
 * Runs a command that cannot outlive this process and, on request, runs only as long as a lock is
 * held. Signals, sessions and process groups are those of POSIX. {@code /proc} lists the processes
 * of a session.
 *
 * <p>Does not know locks. One thread starts a command, waits for it and ends it.
 */
@NullMarked
package dev.recorder.app.guard;

import org.jspecify.annotations.NullMarked;
