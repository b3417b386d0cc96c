/**
 * Output of commands: tables, JSON, escaped text and progress lines.
 *
 * <p>Not here: the content of the output, and exit codes. The code runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.output;

import org.jspecify.annotations.NullMarked;
