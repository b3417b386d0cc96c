/**
 * The commands {@code tasks}: add, list, capture and set tasks.
 *
 * <p>The library's {@code lock} has the tasks. The commands run on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.tasks;

import org.jspecify.annotations.NullMarked;
