/**
 * Commands that show how all hosts and recorders are: {@code status}, {@code explain}, {@code
 * takeovers}.
 *
 * <p>Nothing here changes anything; what is said of a recorder is decided by the library's {@code
 * operate}. The thread {@code watch-1} looks for {@code status --watch}, all else runs on the main
 * thread.
 */
@NullMarked
package dev.recorder.app.cli.status;

import org.jspecify.annotations.NullMarked;
