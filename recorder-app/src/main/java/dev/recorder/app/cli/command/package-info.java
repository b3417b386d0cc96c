/**
 * Options, exit codes, failures and connections that commands share.
 *
 * <p>Not here: commands, and code that only one package of commands uses. The code runs on the main
 * thread, except for the JVM's shutdown hook {@code interruption-1}.
 */
@NullMarked
package dev.recorder.app.cli.command;

import org.jspecify.annotations.NullMarked;
