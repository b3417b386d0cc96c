/**
 * Decides which host should write: heartbeat, lease, watch, silence, eviction, takeover.
 *
 * <p>{@link dev.recorder.leadership.Coordinator} decides for one host. The port {@link
 * dev.recorder.leadership.ControlSession} is implemented over PostgreSQL. Leadership gives speed
 * and order. Safety is the slot log's task. Pure: no JDBC, no thread, no clock.
 */
@NullMarked
package dev.recorder.leadership;

import org.jspecify.annotations.NullMarked;
