/**
 * What commands share: options, exit codes, failures, and the way to the database.
 *
 * <p>Here may not live: a command, or what only one package of commands uses. All of it runs on the
 * main thread; only {@code interruption-1}, the JVM's hook, stops a command in an orderly way.
 */
@NullMarked
package dev.recorder.app.cli.command;

import org.jspecify.annotations.NullMarked;
