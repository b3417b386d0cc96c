/**
 * How commands print: tables, JSON, text of others made harmless, a line that a terminal rewrites.
 *
 * <p>Here may not live what is printed, nor any exit code. All of it runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.output;

import org.jspecify.annotations.NullMarked;
