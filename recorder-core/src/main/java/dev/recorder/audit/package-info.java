/**
 * Proof of a log: objects against the rows that plan them, and against the hand-off while its rows
 * are kept.
 *
 * <p>{@link dev.recorder.audit.LogVerifier} judges; the port {@link dev.recorder.audit.LogRecords}
 * is the database. Pure: no JDBC, no S3 client, no thread, no clock. Reads only, on the caller's
 * thread, and may run beside a recorder that writes.
 */
@NullMarked
package dev.recorder.audit;

import org.jspecify.annotations.NullMarked;
