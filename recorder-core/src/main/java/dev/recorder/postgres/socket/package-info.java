/**
 * Sockets of sessions whose end is noticed when it comes: {@link
 * dev.recorder.postgres.socket.IdleWatch} reads a session's connection, on a thread of its own
 * ({@code session-watch-N}), while the driver does not. Knows neither sessions nor statements, only
 * bytes.
 */
@NullMarked
package dev.recorder.postgres.socket;

import org.jspecify.annotations.NullMarked;
