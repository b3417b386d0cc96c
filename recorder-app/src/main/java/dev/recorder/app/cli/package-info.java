/**
 * The command line. It runs the command that the arguments name, on the main thread.
 *
 * <p>A command returns its exit code. Only {@link dev.recorder.app.cli.RecorderCommand#main} ends
 * the process. This package and those below must not contain SQL or parts of the daemon.
 *
 * <p>Commands are grouped by subject: {@code status}, {@code log}, {@code host}, {@code requests},
 * {@code tasks}, {@code lock}, {@code capture} and {@code setup}. The packages {@code command} and
 * {@code output} have shared code. The command {@code run} is in this package, since it tells the
 * daemon the program's version.
 *
 * <p>Some commands have further threads, which their package names. The library has more: {@code
 * read-log-N} reads ahead for {@code cat} and {@code replay}, {@code snapshot-N} writes rows for
 * {@code capture snapshot}, and locks have threads of their own.
 */
@NullMarked
package dev.recorder.app.cli;

import org.jspecify.annotations.NullMarked;
