/**
 * Hands rows over to a log on the application's own connections, and waits until they are in S3, on
 * one connection for all waits.
 *
 * <p>{@link dev.recorder.producer.postgres.LogClient} works on the caller's thread, in the caller's
 * transaction, and never commits. {@link dev.recorder.producer.postgres.RecordedWaits} has a
 * thread, {@code recorded-waits-1}, which owns its connection. The package uses no running host and
 * no bucket.
 */
@NullMarked
package dev.recorder.producer.postgres;

import org.jspecify.annotations.NullMarked;
