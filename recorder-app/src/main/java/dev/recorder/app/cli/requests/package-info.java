/**
 * The commands {@code requests}: add, list, show, retry and cancel requests.
 *
 * <p>The library's {@code operate} and {@code requests} do the work. The commands run on the main
 * thread.
 */
@NullMarked
package dev.recorder.app.cli.requests;

import org.jspecify.annotations.NullMarked;
