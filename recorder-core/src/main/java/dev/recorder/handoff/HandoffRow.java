package dev.recorder.handoff;

import org.jspecify.annotations.Nullable;

/**
 * A committed row of a hand-off table.
 *
 * @param id identity value; unique, ascending within a transaction, <em>not</em> in commit order
 * @param xid the inserting transaction ({@code xid8}, so it never wraps)
 * @param timeMicros when the transaction began, microseconds since 1970-01-01T00:00Z, database
 *     clock
 * @param key the producer's key, or null
 * @param payload JSON text as the producer wrote it
 */
public record HandoffRow(
    long id, long xid, long timeMicros, @Nullable String key, String payload) {}
