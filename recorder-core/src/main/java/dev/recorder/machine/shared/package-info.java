/**
 * What all recorders of a machine share ({@link dev.recorder.machine.shared.SharedResources}):
 * sessions and pools of threads, which recorders are paused, what is stated of them in the
 * database, and the watch over captures. The threads are listed at {@code machine}.
 */
@NullMarked
package dev.recorder.machine.shared;

import org.jspecify.annotations.NullMarked;
