/**
 * The data that a proof reads from the database: planned slots, rows by the heap and not by the
 * writer's query, and requests. Also keeps the last verdict of each log.
 *
 * <p>All runs on the caller's session and thread: a proof's own session, a host's data session for
 * the verdict, or the session of clearing or of an inspection. It writes only verdicts.
 */
@NullMarked
package dev.recorder.audit.postgres;

import org.jspecify.annotations.NullMarked;
