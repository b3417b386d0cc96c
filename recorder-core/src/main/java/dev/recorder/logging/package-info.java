/**
 * What log lines have in common: who speaks, and that an outage is told once.
 *
 * <p>Here may not live: what is told, when, and how bad it is; that is said where it happens. For
 * any thread; a {@link dev.recorder.logging.LogContext} is of the thread that opened it.
 */
@NullMarked
package dev.recorder.logging;

import org.jspecify.annotations.NullMarked;
