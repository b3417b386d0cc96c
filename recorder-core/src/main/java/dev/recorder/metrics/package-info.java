/**
 * What a machine has counted and measured, and how it stands, as figures that anybody may read at
 * any time: an exporter, a health check, an embedding application.
 *
 * <p>Knows nobody; those who do the work write here what they have done. Writing costs an addition
 * or two and never waits, reading neither; a reading of several figures is of several moments. No
 * thread lives here, no name of a metric, no format.
 */
@NullMarked
package dev.recorder.metrics;

import org.jspecify.annotations.NullMarked;
