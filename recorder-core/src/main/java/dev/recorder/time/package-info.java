/**
 * The only place that reads a clock, sleeps or makes threads.
 *
 * <p>Everything else is handed a {@link dev.recorder.time.Ticker} or a moment in nanoseconds, so
 * that decisions can be tested, and simulated, without waiting.
 */
@NullMarked
package dev.recorder.time;

import org.jspecify.annotations.NullMarked;
