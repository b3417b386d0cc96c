/**
 * A log as a table in the bucket, beside its slots: files of rows, and commits in the form of Delta
 * Lake's protocol, which engines read from the table's path alone.
 *
 * <p>{@link dev.recorder.table.CommitRun} decides how a commit comes about, without threads and
 * without knowing rows; {@link dev.recorder.table.DeltaState} is what the commits so far say. The
 * table is made of the log's objects, and of nothing else: the database is not asked. Who commits
 * is of no concern: a commit's number is given once, by the bucket.
 *
 * <p>The form of files is behind a port, {@link dev.recorder.table.FileFormat}; {@code
 * table.parquet} needs a library that is optional. Here may not live: SQL, and threads. Everything
 * runs on the caller's.
 */
@NullMarked
package dev.recorder.table;

import org.jspecify.annotations.NullMarked;
