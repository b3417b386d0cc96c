/** What log lines have in common: who speaks, and that an outage is told once. */
@NullMarked
package dev.recorder.logging;

import org.jspecify.annotations.NullMarked;
