/**
 * The metrics of this process, as docs/metrics.md describes them: in Prometheus' text format, and
 * as lines in CloudWatch's embedded metric format.
 *
 * <p>Not here: access, SQL. Writing a text never waits, since the database was sampled before.
 *
 * <p>Threads: {@code emf-1} writes the lines for CloudWatch, and only this thread waits for
 * standard output. The threads of requests write their own texts.
 */
@NullMarked
package dev.recorder.app.metrics;

import org.jspecify.annotations.NullMarked;
