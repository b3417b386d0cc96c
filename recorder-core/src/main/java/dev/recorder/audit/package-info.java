/**
 * Proof that nothing is lost, duplicated or changed. Of a log: its objects against the rows that
 * plan them, and against the hand-off while its rows are kept ({@link
 * dev.recorder.audit.LogVerifier}). Of requests: each document against the requests that made it
 * ({@link dev.recorder.audit.DocumentVerifier}), or against the query that builds it ({@link
 * dev.recorder.audit.RebuiltVerifier}). {@link dev.recorder.audit.ScheduledAudit} verifies a log
 * again and again, each time what has come since; {@code clearing} uses {@link
 * dev.recorder.audit.Containment}.
 *
 * <p>The database is behind ports, such as {@link dev.recorder.audit.LogRecords} and {@link
 * dev.recorder.audit.HandoffRows}. Here may not live: JDBC, an S3 client, a thread, a clock. Logs
 * and documents are only read, beside recorders that write; the only thing written is the last
 * verdict ({@link dev.recorder.audit.VerdictStore}). A caller may lend a second thread ({@link
 * dev.recorder.audit.Beside}).
 */
@NullMarked
package dev.recorder.audit;

import org.jspecify.annotations.NullMarked;
