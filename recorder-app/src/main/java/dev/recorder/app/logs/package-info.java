/**
 * How {@code recorder run} writes its log: as text or JSON, with levels for all and for single
 * recorders. The only package that knows Logback.
 *
 * <p>Not here: what is logged and when; the source of the configuration. For any thread: all
 * threads log, and one of them reloads the configuration.
 */
@NullMarked
package dev.recorder.app.logs;

import org.jspecify.annotations.NullMarked;
