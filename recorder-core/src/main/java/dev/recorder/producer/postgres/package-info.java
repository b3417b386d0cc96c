/**
 * Handing rows over to a log on the application's own connections, and waiting until they are in
 * S3, on one connection for all who wait.
 *
 * <p>{@link dev.recorder.producer.postgres.LogClient} does everything on the caller's thread;
 * {@link dev.recorder.producer.postgres.RecordedWaits} has a thread, to which its connection
 * belongs.
 */
@NullMarked
package dev.recorder.producer.postgres;

import org.jspecify.annotations.NullMarked;
