/**
 * The threads that carry out the decisions of {@code requests} on database and store.
 *
 * <p>Threads: {@code request-NAME-N}, one per worker, each with a session of its own; {@code
 * listen-1}, one per host, for notifications and maintenance; {@code request-limits-1}, for time
 * limits. Other callers do not wait, except in methods that say so.
 */
@NullMarked
package dev.recorder.requests.worker;

import org.jspecify.annotations.NullMarked;
