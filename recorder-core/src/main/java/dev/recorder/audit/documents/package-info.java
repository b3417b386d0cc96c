/**
 * Proof of requests: each document is checked against the requests that made it ({@link
 * dev.recorder.audit.documents.DocumentVerifier}), or against the query that builds it ({@link
 * dev.recorder.audit.documents.RebuiltVerifier}).
 *
 * <p>The database is behind ports, such as {@link dev.recorder.audit.documents.RequestRecords}.
 * Documents are only read, while recorders may write. All runs on the caller's thread.
 */
@NullMarked
package dev.recorder.audit.documents;

import org.jspecify.annotations.NullMarked;
