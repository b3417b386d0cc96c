/**
 * The page on which a host shows all hosts.
 *
 * <p>Not here: access (package {@code http}), the diagnosis (the library's {@code operate}), SQL.
 * Nothing here changes anything. Viewers never wait, and their cost is limited ({@link
 * dev.recorder.app.page.RateLimiter}, {@link dev.recorder.app.looks.SampleSchedule}).
 *
 * <p>The package has no thread: the threads of requests make the document.
 */
@NullMarked
package dev.recorder.app.page;

import org.jspecify.annotations.NullMarked;
