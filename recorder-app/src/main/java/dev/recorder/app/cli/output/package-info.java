/**
 * How commands print: tables, JSON, escaped text and progress lines.
 *
 * <p>Not here: what is printed, and exit codes. All of it runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.output;

import org.jspecify.annotations.NullMarked;
