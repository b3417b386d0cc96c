/**
 * A deterministic simulator: the product's own leadership and slot-log code for several machines,
 * over an imaginary PostgreSQL, S3, network and time, with seeded faults.
 *
 * <p>One thread, one source of chance: the same seed gives the same run, step by step. A failure
 * prints its seed; {@code -Dsimulation.seed=<n>} repeats it.
 */
@NullMarked
package dev.recorder.simulation;

import org.jspecify.annotations.NullMarked;
