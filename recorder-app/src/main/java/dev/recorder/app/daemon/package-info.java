/**
 * The way from a checked configuration to a running machine, and from the signals of the operating
 * system to its clean end.
 *
 * <p>Not here: the meaning and limits of keys, which are {@code config}'s; commands and their
 * output; SQL; decisions about recorders.
 *
 * <p>Threads: {@link dev.recorder.app.daemon.Daemon#run} runs the machine on its caller's thread;
 * {@code shutdown-1} is the JVM's hook; {@code reload-1} waits for SIGHUP, and orders to reload
 * arrive on a thread of the machine; {@code last-resort-1} waits for the moment when nothing else
 * can end the process; {@code task-timeouts-1} times out tasks, with {@code task_timeouts} in the
 * file. {@code metrics}, {@code http} and {@code page} list their own threads.
 */
@NullMarked
package dev.recorder.app.daemon;

import org.jspecify.annotations.NullMarked;
