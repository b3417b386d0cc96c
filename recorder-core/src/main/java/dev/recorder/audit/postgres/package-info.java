/**
 * What a proof reads from the database: planned slots, rows that are kept, by the heap and not by
 * the writer's query, and requests.
 *
 * <p>On sessions of its own and the thread of whoever calls. Reads only.
 */
@NullMarked
package dev.recorder.audit.postgres;

import org.jspecify.annotations.NullMarked;
