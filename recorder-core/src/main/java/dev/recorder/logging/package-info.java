/**
 * The common parts of log lines: their context, the names of events, and the reporting of outages.
 *
 * <p>The code in which an event occurs decides when to log it, in which words and at which level.
 * The names of all events are here because they are an interface. Thread-safe; a {@link
 * dev.recorder.logging.LogContext} belongs to the thread that opened it.
 */
@NullMarked
package dev.recorder.logging;

import org.jspecify.annotations.NullMarked;
