/**
 * Sets captures up, maintains them and removes them.
 *
 * <p>Commands use {@link dev.recorder.capture.postgres.Captures}, also for snapshots. Hosts use
 * {@link dev.recorder.capture.postgres.CaptureKeeping}. The work of triggers is defined in {@code
 * capture.script}. {@code SQLException} does not leave the package. Everything runs on the caller's
 * thread and session.
 */
@NullMarked
package dev.recorder.capture.postgres;

import org.jspecify.annotations.NullMarked;
