/**
 * Hands over the rows that a captured table has already ({@link
 * dev.recorder.capture.postgres.snapshot.TableSnapshot}), chunk by chunk, and goes on where an
 * earlier run ended.
 *
 * <p>It runs on the caller's thread and session, except half of it: a {@link
 * dev.recorder.capture.postgres.snapshot.SecondSession} with threads of its own, {@code
 * snapshot-N}, hands chunks over beside the first.
 */
@NullMarked
package dev.recorder.capture.postgres.snapshot;

import org.jspecify.annotations.NullMarked;
