/**
 * The command line: one class per command, run on the main thread.
 *
 * <p>A command returns its exit code; only {@link dev.recorder.app.cli.RecorderCommand#main} ends
 * the process.
 */
@NullMarked
package dev.recorder.app.cli;

import org.jspecify.annotations.NullMarked;
