/**
 * The request queue on PostgreSQL: claims, units and settlements in SQL, and access for
 * applications and operators.
 *
 * <p>{@link dev.recorder.requests.postgres.RequestSession} belongs to one worker's thread, {@code
 * ListenSession} to the listening thread; all else runs on the caller's. This package does not
 * decide which request is tried again, and when, nor how a handler works.
 */
@NullMarked
package dev.recorder.requests.postgres;

import org.jspecify.annotations.NullMarked;
