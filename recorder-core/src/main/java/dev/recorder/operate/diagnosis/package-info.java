/**
 * What the facts of a site mean: who is at work ({@link dev.recorder.operate.diagnosis.Activity}),
 * what is not as it should be ({@link dev.recorder.operate.diagnosis.Notes}), why a host does not
 * record ({@link dev.recorder.operate.diagnosis.Explanation}) and what to do about it. Pure: no
 * SQL, no clock, no thread.
 */
@NullMarked
package dev.recorder.operate.diagnosis;

import org.jspecify.annotations.NullMarked;
