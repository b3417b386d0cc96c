/**
 * {@link dev.recorder.s3.S3ObjectStore} implements the ports of {@code store} on an S3 bucket, and
 * {@link dev.recorder.s3.StoreProbe} tests whether a store keeps the promises on which the log's
 * safety depends.
 *
 * <p>This is the only package that uses the AWS SDK, so {@link dev.recorder.s3.RdsTokens} and
 * {@link dev.recorder.s3.SecretPassword} are here, too. The package does not decide about writes,
 * and sends no request that deletes. Calls run on the caller's thread and end within the attempt
 * time-out; {@link dev.recorder.s3.StoreProbes} tests stores on threads of its own, {@code
 * store-test-N}.
 */
@NullMarked
package dev.recorder.s3;

import org.jspecify.annotations.NullMarked;
