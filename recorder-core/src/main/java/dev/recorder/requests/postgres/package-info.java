/**
 * The request queue on PostgreSQL: claims, units and settlements in SQL, and the access of front
 * ends and operators.
 *
 * <p>{@link dev.recorder.requests.postgres.RequestSession} belongs to one worker's thread, {@code
 * ListenSession} to the listening thread; all else runs on the caller's. Not here: which request is
 * tried again, and when, and what a handler does.
 */
@NullMarked
package dev.recorder.requests.postgres;

import org.jspecify.annotations.NullMarked;
