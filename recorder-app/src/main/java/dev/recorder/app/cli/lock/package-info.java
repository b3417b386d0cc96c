/**
 * The commands {@code lock}: list, show and release locks, and run a program under one.
 *
 * <p>The library's {@code lock} has the locks, {@code guard} runs the program. All of it runs on
 * the main thread; locks have threads of their own.
 */
@NullMarked
package dev.recorder.app.cli.lock;

import org.jspecify.annotations.NullMarked;
