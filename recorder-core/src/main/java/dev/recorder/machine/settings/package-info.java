/**
 * The configuration of a host: its name, sessions and timing, and each recorder's settings. It has
 * values only, and no threads.
 */
@NullMarked
package dev.recorder.machine.settings;

import org.jspecify.annotations.NullMarked;
