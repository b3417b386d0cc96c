/**
 * Sockets of sessions whose end is noticed at once: {@link dev.recorder.postgres.socket.IdleWatch}
 * reads a session's connection, on a thread of its own ({@code session-watch-N}), while the driver
 * does not. Knows only bytes, neither sessions nor statements.
 */
@NullMarked
package dev.recorder.postgres.socket;

import org.jspecify.annotations.NullMarked;
