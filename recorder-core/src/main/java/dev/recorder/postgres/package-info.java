/**
 * What all wings need of PostgreSQL: sessions and their settings, transactions, failures, locks.
 *
 * <p>{@link dev.recorder.postgres.RdsManager} owns the one control session and its thread; bulk
 * work runs on a few {@link dev.recorder.postgres.DataSession}s, each with a thread of its own. A
 * wing's SQL is not here but in the wing ({@code leadership.postgres}, {@code slotlog.postgres},
 * {@code requests.postgres}, {@code lock.postgres}, {@code audit.postgres}), the tables' in {@code
 * schema}. Below are {@code sql}, the one form in which statements are written, {@code socket}, how
 * a session's end is noticed, and {@code holders}, who is in the way of a statement. Public for the
 * library's own packages.
 */
@NullMarked
package dev.recorder.postgres;

import org.jspecify.annotations.NullMarked;
