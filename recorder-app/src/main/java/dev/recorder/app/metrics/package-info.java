/**
 * The figures of this process, as docs/metrics.md describes them: in Prometheus' text format, and
 * as lines in CloudWatch's embedded metric format.
 *
 * <p>Not here: access, SQL. Writing a text never waits; the database was sampled before.
 *
 * <p>Threads: {@code emf-1} writes the lines for CloudWatch, and alone waits for standard output;
 * the threads of requests write their own texts.
 */
@NullMarked
package dev.recorder.app.metrics;

import org.jspecify.annotations.NullMarked;
