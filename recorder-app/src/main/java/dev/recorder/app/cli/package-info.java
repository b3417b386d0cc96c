/**
 * The command line: one class per command, run on the main thread.
 *
 * <p>A command returns its exit code; only {@link dev.recorder.app.cli.RecorderCommand#main} ends
 * the process. Here may not live SQL, nor what a daemon does.
 *
 * <p>Some commands have threads beside the main one. Of this package: {@code interruption-1}, the
 * JVM's hook, stops a command in an orderly way; {@code verify-N} and {@code read-hand-off-N} read
 * what {@code verify} proves; {@code store-test-N} tests stores for {@code check --online}; {@code
 * watch-1} looks for {@code status --watch}. Of the library: {@code read-log-N} reads ahead for
 * {@code cat} and {@code replay}, {@code snapshot-N} hands rows over for {@code capture snapshot},
 * and locks have threads of their own.
 */
@NullMarked
package dev.recorder.app.cli;

import org.jspecify.annotations.NullMarked;
