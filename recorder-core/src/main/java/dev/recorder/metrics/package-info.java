/**
 * The counters and states of a host, for an exporter, a health check or an embedding application to
 * read at any time.
 *
 * <p>The code that does the work updates them, by an addition or two and without waiting. Several
 * values that are read together may be of different moments. The package has no thread, no name of
 * a metric and no format.
 */
@NullMarked
package dev.recorder.metrics;

import org.jspecify.annotations.NullMarked;
