/**
 * What capture asks the database, and has it do: reads the catalog, checks expressions of users,
 * sets captures up and removes them, finds what they miss, and hands over the rows that a table has
 * already (a snapshot).
 *
 * <p>{@link dev.recorder.capture.postgres.Captures} is the way in for commands; {@link
 * dev.recorder.capture.postgres.CaptureKeeping} is the active machine's. What a trigger does is
 * decided in {@code capture}, not here; {@code SQLException} does not leave the package.
 *
 * <p>Everything runs on the caller's thread and session, except half of a snapshot: a {@code
 * SecondSession} with threads of its own, {@code snapshot-N}, hands chunks over beside the first.
 */
@NullMarked
package dev.recorder.capture.postgres;

import org.jspecify.annotations.NullMarked;
