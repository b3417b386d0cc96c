/**
 * From a checked configuration to a running machine, and from signals of the operating system to
 * its clean end.
 *
 * <p>Here may not live: what a key means or may be, which is {@code config}'s; commands and what
 * they print; SQL; any decision about a recorder.
 *
 * <p>Threads: {@link dev.recorder.app.daemon.Daemon#run} works on its caller's, which is the
 * machine's; {@code shutdown-1} is the JVM's hook; {@code reload-1} waits for SIGHUP, and orders to
 * reload come on a thread of the machine's; {@code last-resort-1} waits for the moment when nothing
 * else can end the process; {@code task-timeouts-1} times tasks out if the file says {@code
 * task_timeouts}. What {@code metrics}, {@code http} and {@code page} run is listed there.
 */
@NullMarked
package dev.recorder.app.daemon;

import org.jspecify.annotations.NullMarked;
