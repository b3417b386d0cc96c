/**
 * Proof that no row is lost, duplicated or changed. A log's objects are checked against their rows
 * in {@code slots}, and against the hand-off table while it keeps the rows ({@link
 * dev.recorder.audit.LogVerifier}). Below, {@code objects} reads them; {@code documents} proves
 * requests, and {@code schedule} verifies a log on a schedule. {@code clearing} uses {@link
 * dev.recorder.audit.Containment}.
 *
 * <p>The database is behind ports, such as {@link dev.recorder.audit.LogRecords} and {@link
 * dev.recorder.audit.HandoffRows}. Here and in those packages there is no JDBC, S3 client, thread
 * or clock. Logs and documents are only read, while recorders may write. A caller may lend a second
 * thread ({@link dev.recorder.audit.SecondReader}).
 */
@NullMarked
package dev.recorder.audit;

import org.jspecify.annotations.NullMarked;
