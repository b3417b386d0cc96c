/**
 * The counters and states of a machine, to be read at any time by an exporter, a health check or an
 * embedding application.
 *
 * <p>The code that does the work writes them: an addition or two, without waiting. A reading of
 * several figures is not of one moment. No thread, no name of a metric and no format lives here.
 */
@NullMarked
package dev.recorder.metrics;

import org.jspecify.annotations.NullMarked;
