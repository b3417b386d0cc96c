/**
 * The commands {@code tasks}: they add and list tasks, set their state, and let a trigger add them.
 *
 * <p>The library's {@code lock} has the tasks. All of it runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.tasks;

import org.jspecify.annotations.NullMarked;
