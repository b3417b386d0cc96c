/**
 * When to look at the database for those who read what was found there: the page and the metrics.
 *
 * <p>Here may not live: what is looked at, and who does so, which is theirs. No thread lives here:
 * {@link dev.recorder.app.looks.Effort} belongs to the thread that looks ({@code page-1}, {@code
 * sample-1}); {@link dev.recorder.app.looks.Rhythm} is for any.
 */
@NullMarked
package dev.recorder.app.looks;

import org.jspecify.annotations.NullMarked;
