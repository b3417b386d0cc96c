/**
 * Hands over the existing rows of a captured table ({@link
 * dev.recorder.capture.postgres.snapshot.TableSnapshot}) chunk by chunk, and continues where an
 * earlier run ended.
 *
 * <p>A snapshot runs on the caller's thread and session. In parallel, a {@link
 * dev.recorder.capture.postgres.snapshot.SecondSession} hands chunks over on a thread of its own,
 * {@code snapshot-N}.
 */
@NullMarked
package dev.recorder.capture.postgres.snapshot;

import org.jspecify.annotations.NullMarked;
