/**
 * The request queue over PostgreSQL: claims, units and settlements in SQL, and what front ends and
 * operators ask of it.
 *
 * <p>{@link dev.recorder.requests.postgres.RequestSession} belongs to one worker's thread. Decides
 * nothing.
 */
@NullMarked
package dev.recorder.requests.postgres;

import org.jspecify.annotations.NullMarked;
