/**
 * Handlers of requests that are not built in: programs that are run, and Java classes that are
 * found by name.
 *
 * <p>Here may be processes, and the threads that feed them ({@code exec-stdin-N}, daemons from
 * {@link dev.recorder.time.NamedThreads}); a Java handler is made on a thread of its own ({@code
 * handler-NAME-1}), so that threads it starts are known as the recorder's; all else runs on the
 * calling thread, which is a worker's. Here may not be: the database, S3, when to try again.
 * docs/handlers.md is what users read.
 */
@NullMarked
package dev.recorder.requests.handlers;

import org.jspecify.annotations.NullMarked;
