/**
 * Handing rows over to a log on the application's own connections, and waiting until they are in
 * S3, on one connection for all who wait.
 *
 * <p>{@link dev.recorder.producer.postgres.LogClient} does everything on the caller's thread, in
 * the caller's transaction: it never commits. {@link dev.recorder.producer.postgres.RecordedWaits}
 * has a thread, {@code recorded-waits-1}, to which its connection belongs. Here may not live:
 * anything that knows a machine or a bucket.
 */
@NullMarked
package dev.recorder.producer.postgres;

import org.jspecify.annotations.NullMarked;
