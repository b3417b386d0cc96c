/**
 * What capture asks the database, and has it do: reads the catalog, checks expressions of users,
 * sets captures up and ends them, finds what they miss.
 *
 * <p>{@link dev.recorder.capture.postgres.Captures} is the way in. On the thread of whoever calls,
 * on a session of its own.
 */
@NullMarked
package dev.recorder.capture.postgres;

import org.jspecify.annotations.NullMarked;
