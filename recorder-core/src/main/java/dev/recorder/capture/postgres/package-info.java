/**
 * Sets captures up, keeps them and removes them.
 *
 * <p>{@link dev.recorder.capture.postgres.Captures} is the way in for commands, snapshots included;
 * {@link dev.recorder.capture.postgres.CaptureKeeping} is the active machine's. What a trigger does
 * is decided in {@code capture}, not here; {@code SQLException} does not leave the package.
 * Everything runs on the caller's thread and session.
 */
@NullMarked
package dev.recorder.capture.postgres;

import org.jspecify.annotations.NullMarked;
