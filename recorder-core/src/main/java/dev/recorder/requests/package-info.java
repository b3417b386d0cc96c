/**
 * The request queue: units of work on entities, and how a back end finds, processes and settles
 * them.
 *
 * <p>The decisions are pure: no JDBC, S3 client, thread or clock. {@code requests.postgres}
 * implements the queue, {@code requests.worker} runs the threads, {@code requests.document} has the
 * built-in handlers, {@code requests.handlers} runs handlers of users. docs/requests.md gives the
 * reason for each rule.
 */
@NullMarked
package dev.recorder.requests;

import org.jspecify.annotations.NullMarked;
