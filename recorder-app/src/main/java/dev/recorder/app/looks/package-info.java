/**
 * Samples of the database for the page, the metrics and the lines for CloudWatch. One sampler
 * serves all of them ({@link dev.recorder.app.looks.SiteSampler}).
 *
 * <p>Not here: SQL, and the diagnosis, which is in the library's {@code operate}.
 *
 * <p>Threads: {@code sample-1} takes samples. Readers never wait.
 */
@NullMarked
package dev.recorder.app.looks;

import org.jspecify.annotations.NullMarked;
