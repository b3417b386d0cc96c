/** Imaginary time: steps that fall due, in an order of chance, and what waits for them. */
@NullMarked
package dev.recorder.simulation.time;

import org.jspecify.annotations.NullMarked;
