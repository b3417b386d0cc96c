/**
 * The command line: one class per command, run on the main thread.
 *
 * <p>A command returns its exit code; only {@link dev.recorder.app.cli.RecorderCommand#main} ends
 * the process. Here may not live SQL, nor what a daemon does. Some commands have threads beside
 * them that read ahead or ask stores: {@code verify-N}, {@code read-slot-N}, {@code
 * read-hand-off-N}, {@code store-test-N}.
 */
@NullMarked
package dev.recorder.app.cli;

import org.jspecify.annotations.NullMarked;
