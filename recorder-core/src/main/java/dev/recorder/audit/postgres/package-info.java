/**
 * What a proof reads from the database: planned slots, rows that are kept, by the heap and not by
 * the writer's query, and requests; and the last verdict of each log.
 *
 * <p>On sessions of its own and the caller's thread. Writes nothing but verdicts.
 */
@NullMarked
package dev.recorder.audit.postgres;

import org.jspecify.annotations.NullMarked;
