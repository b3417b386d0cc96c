/**
 * What commands share: options, exit codes, failures and connections.
 *
 * <p>Not here: commands, or what only one package of commands uses. All of it runs on the main
 * thread, except {@code interruption-1}, the JVM's shutdown hook.
 */
@NullMarked
package dev.recorder.app.cli.command;

import org.jspecify.annotations.NullMarked;
