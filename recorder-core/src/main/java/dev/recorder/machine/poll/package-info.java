/**
 * Whether rows may have come, for the writers of all logs at once: {@link
 * dev.recorder.machine.poll.RowPoller} looks on the thread {@code lookout-1} and a session of its
 * own, and tells each writer by its {@link dev.recorder.machine.poll.RowSignal}.
 */
@NullMarked
package dev.recorder.machine.poll;

import org.jspecify.annotations.NullMarked;
