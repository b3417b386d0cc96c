/**
 * The sections that concern a host itself: {@code [machine]}, {@code [timing]}, {@code [http]},
 * {@code [metrics]}, {@code [log]}. Also finds the host's name.
 *
 * <p>Not here: consequences for recorders.
 */
@NullMarked
package dev.recorder.app.config.host;

import org.jspecify.annotations.NullMarked;
