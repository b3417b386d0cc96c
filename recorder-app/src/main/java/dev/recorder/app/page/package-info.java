/**
 * The page on which a host shows all hosts.
 *
 * <p>Not here: access, which is {@code http}'s; the diagnosis, which is the library's {@code
 * operate}'s; SQL. Nothing here changes anything. Viewers never wait, and their cost is limited
 * ({@link dev.recorder.app.page.RateLimiter}, {@link dev.recorder.app.looks.Rhythm}).
 *
 * <p>No thread of its own: the threads of requests make the document.
 */
@NullMarked
package dev.recorder.app.page;

import org.jspecify.annotations.NullMarked;
