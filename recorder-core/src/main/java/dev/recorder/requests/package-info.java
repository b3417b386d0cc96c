/**
 * Request queue: units of work on entities, and how a back end finds, processes and settles them.
 *
 * <p>The decisions are pure: no JDBC, no S3 client, no thread, no clock. {@code requests.postgres}
 * implements the queue, {@code requests.worker} runs the threads, {@code requests.document} is the
 * built-in handler, {@code requests.handlers} runs what users bring. docs/requests.md says why each
 * rule is there.
 */
@NullMarked
package dev.recorder.requests;

import org.jspecify.annotations.NullMarked;
