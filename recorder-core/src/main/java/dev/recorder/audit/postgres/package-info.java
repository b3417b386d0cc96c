/**
 * What a proof reads from the database: planned slots, rows that are kept, by the heap and not by
 * the writer's query, and requests; and the last verdict of each log.
 *
 * <p>On the caller's session and thread: a proof's own session, a machine's data session for the
 * verdict, clearing's and an inspection's for what a slot should hold. Writes nothing but verdicts.
 */
@NullMarked
package dev.recorder.audit.postgres;

import org.jspecify.annotations.NullMarked;
