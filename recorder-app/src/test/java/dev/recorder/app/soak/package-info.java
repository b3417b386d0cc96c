/**
 * The soak and the storm: faults drawn at random over three hosts under load, of recorders of logs
 * and of requests, for as long as one likes, and then the proof, by the oracles of the harness.
 * What is drawn depends on the seed alone; what it meets does not, so a seed repeats the schedule
 * and not the run.
 */
@NullMarked
package dev.recorder.app.soak;

import org.jspecify.annotations.NullMarked;
