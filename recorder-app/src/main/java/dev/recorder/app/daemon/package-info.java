/**
 * Builds a running machine from a checked configuration, and handles the operating system's signals
 * up to the clean end of the process.
 *
 * <p>Not here: the meaning and limits of keys (package {@code config}), commands and their output,
 * SQL, decisions about recorders.
 *
 * <p>Threads: {@link dev.recorder.app.daemon.Daemon#run} runs the machine on its caller's thread.
 * {@code shutdown-1} is the JVM's hook. {@code reload-1} waits for SIGHUP. Orders to reload arrive
 * on a thread of the machine. {@code last-resort-1} halts the process if logging a fatal error
 * takes too long. {@code open-stores-1} opens the buckets at the start. {@code service-manager-1}
 * sends messages to systemd, if systemd expects them. {@code task-timeouts-1} times out tasks, with
 * {@code task_timeouts} in the file. The packages {@code metrics}, {@code http} and {@code page}
 * list their own threads.
 */
@NullMarked
package dev.recorder.app.daemon;

import org.jspecify.annotations.NullMarked;
