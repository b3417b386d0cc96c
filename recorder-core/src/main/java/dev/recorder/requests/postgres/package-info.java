/**
 * The request queue over PostgreSQL: claims, units and settlements in SQL, and what front ends and
 * operators ask of it.
 *
 * <p>{@link dev.recorder.requests.postgres.RequestSession} belongs to one worker's thread, {@code
 * ListenSession} to the one that listens; all else runs on the caller's. Here may not live: which
 * request is tried again, and when, and what a handler does.
 */
@NullMarked
package dev.recorder.requests.postgres;

import org.jspecify.annotations.NullMarked;
