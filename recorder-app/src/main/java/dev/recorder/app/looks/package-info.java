/**
 * When to look at the database for those who read what was found there: the page and the metrics.
 *
 * <p>Here may not live: what is looked at, and who does so, which is theirs.
 */
@NullMarked
package dev.recorder.app.looks;

import org.jspecify.annotations.NullMarked;
