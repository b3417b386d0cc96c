/**
 * Commands that give orders to running hosts and wait for the outcome: {@code switchover}, {@code
 * drain}, {@code undrain}, {@code pause}, {@code resume} and {@code reload}.
 *
 * <p>Orders go through the database. The library's {@code operate} writes them and reads their
 * outcome. The commands run on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.host;

import org.jspecify.annotations.NullMarked;
