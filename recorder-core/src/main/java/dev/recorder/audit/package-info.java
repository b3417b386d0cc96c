/**
 * Proof that nothing is lost, duplicated or changed. Of a log: its objects against the rows that
 * plan them, and against the hand-off while its rows are kept ({@link
 * dev.recorder.audit.LogVerifier}). {@code objects}, below it, reads them; {@code documents} proves
 * requests, and {@code schedule} verifies a log again and again. {@code clearing} uses {@link
 * dev.recorder.audit.Containment}.
 *
 * <p>The database is behind ports, such as {@link dev.recorder.audit.LogRecords} and {@link
 * dev.recorder.audit.HandoffRows}. Here and in those packages may not live: JDBC, an S3 client, a
 * thread, a clock. Logs and documents are only read, beside recorders that write. A caller may lend
 * a second thread ({@link dev.recorder.audit.SecondReader}).
 */
@NullMarked
package dev.recorder.audit;

import org.jspecify.annotations.NullMarked;
