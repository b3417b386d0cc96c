/**
 * Commands that order something from running hosts, and wait until it is done: {@code switchover},
 * {@code drain}, {@code undrain}, {@code pause}, {@code resume} and {@code reload}.
 *
 * <p>An order goes through the database; the library's {@code operate} writes it and reads what
 * became of it. All of it runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.host;

import org.jspecify.annotations.NullMarked;
