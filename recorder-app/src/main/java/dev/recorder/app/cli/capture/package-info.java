/**
 * The commands {@code capture}: add, list, check and remove captures, and take snapshots.
 *
 * <p>The library's {@code capture} decides and has the SQL. The commands run on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.capture;

import org.jspecify.annotations.NullMarked;
