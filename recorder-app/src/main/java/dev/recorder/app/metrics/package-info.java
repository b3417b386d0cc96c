/**
 * The figures of this process in Prometheus' text format: names, helps and labels, each as
 * docs/metrics.md has it.
 *
 * <p>Here may not live: who may read them, SQL. Writing a text reads what is known and waits for
 * nobody; what the database has to say was asked before, on a thread of its own.
 */
@NullMarked
package dev.recorder.app.metrics;

import org.jspecify.annotations.NullMarked;
