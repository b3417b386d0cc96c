/**
 * The sections on a host by itself: {@code [machine]}, {@code [timing]}, {@code [http]}, {@code
 * [metrics]}, {@code [log]}, and how a host that has no name finds one.
 *
 * <p>Here may not live: what these say of recorders.
 */
@NullMarked
package dev.recorder.app.config.host;

import org.jspecify.annotations.NullMarked;
