/**
 * The only place that reads a clock, sleeps or makes threads.
 *
 * <p>Everything else is handed a {@link dev.recorder.time.Ticker} or a moment in nanoseconds, so
 * that decisions can be tested, and simulated, without waiting. Here may not live: anything that
 * knows what is waited for. Whoever asks {@link dev.recorder.time.NamedThreads} for a thread names
 * it, as {@code ROLE-N}; its package says so.
 */
@NullMarked
package dev.recorder.time;

import org.jspecify.annotations.NullMarked;
