/**
 * The log of {@code recorder run}: as text or JSON, with a level for all recorders and levels for
 * single recorders. The only package that knows Logback.
 *
 * <p>Not here: the content and time of log lines, and the source of the configuration. For any
 * thread: all threads log, and one of them reloads the configuration.
 */
@NullMarked
package dev.recorder.app.logs;

import org.jspecify.annotations.NullMarked;
