/**
 * The page that a host shows of all hosts: what it says and how it looks.
 *
 * <p>Here may not live: who may see it, which is {@code http}'s; what is said of a database, which
 * the library's {@code operate} decides; SQL. Nothing here changes anything. Whoever looks at the
 * page waits for nobody, and is bounded in what they cost ({@link
 * dev.recorder.app.page.RateLimiter}, {@link dev.recorder.app.looks.Rhythm}).
 *
 * <p>No thread lives here: whoever answers requests makes the document.
 */
@NullMarked
package dev.recorder.app.page;

import org.jspecify.annotations.NullMarked;
