/**
 * Proof of a log: objects against the rows that plan them, and against the hand-off while its rows
 * are kept.
 *
 * <p>{@link dev.recorder.audit.LogVerifier} judges; the ports {@link dev.recorder.audit.LogRecords}
 * and {@link dev.recorder.audit.HandoffRows} are the database. Pure: no JDBC, no S3 client, no
 * thread, no clock. Reads only, and may run beside a recorder that writes; who calls it may lend it
 * a second thread ({@link dev.recorder.audit.Beside}).
 */
@NullMarked
package dev.recorder.audit;

import org.jspecify.annotations.NullMarked;
