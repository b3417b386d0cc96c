/**
 * The commands {@code requests}: they add, list, show, retry and cancel requests.
 *
 * <p>The library's {@code operate} and {@code requests} do it. All of it runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.requests;

import org.jspecify.annotations.NullMarked;
