/**
 * What a machine is told to be: its name, sessions and timing, and each recorder's settings. Values
 * only; no thread.
 */
@NullMarked
package dev.recorder.machine.settings;

import org.jspecify.annotations.NullMarked;
