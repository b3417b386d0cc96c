/**
 * Handlers that users bring: programs, and Java classes found by name.
 *
 * <p>This package may have processes, and the threads that feed them ({@code exec-stdin-N}, daemons
 * from {@link dev.recorder.time.NamedThreadFactory}). A Java handler is created on a thread of its
 * own ({@code handler-NAME-1}), so that threads it starts are known as the recorder's. All else
 * runs on the calling thread, which is a worker's. Not here: the database, S3, when to try again.
 * docs/handlers.md is for users.
 */
@NullMarked
package dev.recorder.requests.handlers;

import org.jspecify.annotations.NullMarked;
