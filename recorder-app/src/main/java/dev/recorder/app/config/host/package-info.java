/**
 * The sections on a host itself: {@code [machine]}, {@code [timing]}, {@code [http]}, {@code
 * [metrics]}, {@code [log]}, and the look-up of a host's name.
 *
 * <p>Not here: consequences for recorders.
 */
@NullMarked
package dev.recorder.app.config.host;

import org.jspecify.annotations.NullMarked;
