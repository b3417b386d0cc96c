/**
 * Samples of the database for its readers here: the page, the metrics and the lines for CloudWatch.
 * One sampler serves all of them ({@link dev.recorder.app.looks.SiteSampler}).
 *
 * <p>Not here: SQL; the diagnosis, which is the library's {@code operate}'s.
 *
 * <p>Threads: {@code sample-1} samples; readers never wait.
 */
@NullMarked
package dev.recorder.app.looks;

import org.jspecify.annotations.NullMarked;
