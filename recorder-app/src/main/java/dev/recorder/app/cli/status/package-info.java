/**
 * Commands that show the state of hosts and recorders: {@code status}, {@code explain}, {@code
 * takeovers}.
 *
 * <p>Nothing here changes anything. The library's {@code operate} makes the diagnosis. The thread
 * {@code watch-1} samples for {@code status --watch}; all other code runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.status;

import org.jspecify.annotations.NullMarked;
