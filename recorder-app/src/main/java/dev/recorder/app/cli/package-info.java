/**
 * The command line. It runs the one command that the arguments name, on the main thread.
 *
 * <p>A command returns its exit code; only {@link dev.recorder.app.cli.RecorderCommand#main} ends
 * the process. This package and those below must not contain SQL or parts of the daemon.
 *
 * <p>Commands are grouped by subject: {@code status}, {@code log}, {@code host}, {@code requests},
 * {@code tasks}, {@code lock}, {@code capture} and {@code setup}; {@code command} and {@code
 * output} have what they share. Only {@code run} is here, since it tells the daemon the program's
 * version.
 *
 * <p>Some commands have threads beside the main one; their package names them. The library has
 * more: {@code read-log-N} reads ahead for {@code cat} and {@code replay}, {@code snapshot-N}
 * writes rows for {@code capture snapshot}, and locks have threads of their own.
 */
@NullMarked
package dev.recorder.app.cli;

import org.jspecify.annotations.NullMarked;
