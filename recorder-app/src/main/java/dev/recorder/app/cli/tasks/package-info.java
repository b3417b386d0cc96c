/**
 * The commands {@code tasks}: add, list, capture and set tasks.
 *
 * <p>The library's {@code lock} has the tasks. All of it runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.tasks;

import org.jspecify.annotations.NullMarked;
