/**
 * The parts that all recorders of a host share ({@link
 * dev.recorder.machine.shared.SharedResources}): sessions and thread pools, the paused recorders,
 * the conditions in the database, and the watch over captures. {@code machine} lists the threads.
 */
@NullMarked
package dev.recorder.machine.shared;

import org.jspecify.annotations.NullMarked;
