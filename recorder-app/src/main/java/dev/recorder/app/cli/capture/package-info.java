/**
 * The commands {@code capture}: they make, list, check and remove captures of tables.
 *
 * <p>The library's {@code capture} decides and has the SQL. All of it runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.capture;

import org.jspecify.annotations.NullMarked;
