/**
 * The command line: it calls the one command that the arguments name, on the main thread.
 *
 * <p>A command returns its exit code; only {@link dev.recorder.app.cli.RecorderCommand#main} ends
 * the process. Here, and in the packages within, may not live SQL, nor what a daemon does.
 *
 * <p>Commands stand in the package of what they are about: {@code status}, {@code log}, {@code
 * host}, {@code requests}, {@code tasks}, {@code lock}, {@code capture} and {@code setup}; what
 * they share stands in {@code command} and {@code output}. Only {@code run} stands here, since it
 * tells the daemon the program's version.
 *
 * <p>Some commands have threads beside the main one; their package names them. The library has
 * further ones: {@code read-log-N} reads ahead for {@code cat} and {@code replay}, {@code
 * snapshot-N} hands rows over for {@code capture snapshot}, and locks have threads of their own.
 */
@NullMarked
package dev.recorder.app.cli;

import org.jspecify.annotations.NullMarked;
