/**
 * The soak and the storm: faults drawn at random over three hosts under load, of recorders of logs
 * and of requests, for as long as one likes, and then the proof. What is drawn depends on the seed
 * alone; what it meets does not, so a seed repeats the schedule and not the run.
 *
 * <p>The ledger and the examination are the soak's own and know nothing of the product's code.
 */
@NullMarked
package dev.recorder.app.soak;

import org.jspecify.annotations.NullMarked;
