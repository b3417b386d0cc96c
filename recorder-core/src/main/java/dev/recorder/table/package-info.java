/**
 * A log as a table in the bucket, beside its slots: files of rows, and commits by the protocol of
 * Delta Lake. Query engines need only the table's path.
 *
 * <p>{@link dev.recorder.table.CommitRun} decides the steps of a commit, without threads and
 * without knowledge of rows. {@link dev.recorder.table.DeltaState} is the state after the commits
 * so far. The table is made only from the log's objects, without the database. Any host may commit,
 * since the bucket accepts each commit number only once.
 *
 * <p>The format of files is behind the port {@link dev.recorder.table.FileFormat}. {@code
 * table.parquet} needs an optional library. This package contains no SQL and no threads. Everything
 * runs on the caller's thread.
 */
@NullMarked
package dev.recorder.table;

import org.jspecify.annotations.NullMarked;
