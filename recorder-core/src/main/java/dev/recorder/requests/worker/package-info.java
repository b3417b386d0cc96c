/**
 * Recorders of requests at work: the threads that carry out what {@code requests} decides, over the
 * adapters.
 *
 * <p>Threads: {@code request-NAME-N}, one per worker, each with a session of its own; {@code
 * listen-1}, one per machine, for notifications and the cleaning up; {@code request-limits-1}, for
 * time limits. Other callers do not wait, except in the methods that say so.
 */
@NullMarked
package dev.recorder.requests.worker;

import org.jspecify.annotations.NullMarked;
