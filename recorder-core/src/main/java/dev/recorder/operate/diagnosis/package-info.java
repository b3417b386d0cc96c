/**
 * The meaning of the facts of a site: which hosts work on a recorder ({@link
 * dev.recorder.operate.diagnosis.Activity}), problems ({@link
 * dev.recorder.operate.diagnosis.Notes}), and why a host does not record, with the remedy ({@link
 * dev.recorder.operate.diagnosis.Explanation}). Pure: no SQL, no clock, no thread.
 */
@NullMarked
package dev.recorder.operate.diagnosis;

import org.jspecify.annotations.NullMarked;
