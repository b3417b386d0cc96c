/**
 * What log lines have in common: their context, the names of events, and the reporting of outages.
 *
 * <p>When something is logged, in which words and at which level is decided where it happens. The
 * names of all events stand here because they are an interface. Thread-safe; a {@link
 * dev.recorder.logging.LogContext} belongs to the thread that opened it.
 */
@NullMarked
package dev.recorder.logging;

import org.jspecify.annotations.NullMarked;
