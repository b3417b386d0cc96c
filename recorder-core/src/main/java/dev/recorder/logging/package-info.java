/**
 * What log lines have in common: who speaks, what an event is called, and that an outage is told
 * once.
 *
 * <p>Here may not live: when something is told, in which words, and how bad it is; that is said
 * where it happens. The names stand here together since they are an interface. For any thread; a
 * {@link dev.recorder.logging.LogContext} is of the thread that opened it.
 */
@NullMarked
package dev.recorder.logging;

import org.jspecify.annotations.NullMarked;
