/**
 * The figures of this process in Prometheus' text format, each as docs/metrics.md has it, and as
 * lines of CloudWatch's embedded metric format.
 *
 * <p>Here may not live: who may read them, SQL. Writing a text reads what is known and waits for
 * nobody; the database was asked before.
 *
 * <p>Threads: {@code emf-1} writes the lines for CloudWatch, and is the only one that waits for
 * standard output; whoever answers a request writes its text.
 */
@NullMarked
package dev.recorder.app.metrics;

import org.jspecify.annotations.NullMarked;
