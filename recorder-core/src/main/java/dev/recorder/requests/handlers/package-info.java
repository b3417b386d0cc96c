/**
 * Handlers of users: programs, and Java classes found by name.
 *
 * <p>This package may have processes, and the daemon threads that feed them ({@code exec-stdin-N},
 * from {@link dev.recorder.time.NamedThreadFactory}). A Java handler is created on a thread of its
 * own ({@code handler-NAME-1}), so that threads that the handler starts are in the recorder's
 * group. All else runs on the calling thread, which is a worker's. This package has no database, no
 * S3, and no decision when to try again. docs/handlers.md is for users.
 */
@NullMarked
package dev.recorder.requests.handlers;

import org.jspecify.annotations.NullMarked;
