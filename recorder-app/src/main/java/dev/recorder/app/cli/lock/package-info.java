/**
 * The commands {@code lock}: list, show and release locks, and run a program under a lock.
 *
 * <p>The library's {@code lock} has the locks, and {@code guard} runs the program. The commands run
 * on the main thread. Locks have threads of their own.
 */
@NullMarked
package dev.recorder.app.cli.lock;

import org.jspecify.annotations.NullMarked;
