/**
 * The only place that reads a clock, sleeps or makes threads.
 *
 * <p>Other code is given a {@link dev.recorder.time.Ticker} or a moment in nanoseconds, so that
 * decisions can be tested and simulated without waiting. The package knows nothing of the purpose
 * of a wait. Threads of {@link dev.recorder.time.NamedThreadFactory} are named {@code ROLE-N}; the
 * package that makes them documents the name.
 */
@NullMarked
package dev.recorder.time;

import org.jspecify.annotations.NullMarked;
