/**
 * Schedules the repeated work of a host beside its control loop. Each is a {@link
 * dev.recorder.machine.schedule.Chore}, and the host's one {@link
 * dev.recorder.machine.schedule.Schedule} runs them.
 *
 * <ul>
 *   <li>The timer's thread only hands work over. The work runs on the chore's lane, a bounded
 *       executor. A database session has one thread, which is its lane.
 *   <li>A chore is on its lane at most once. Work that hangs keeps its thread, and delays other
 *       chores only if the lane has no other thread.
 *   <li>If a lane is full or closed, a turn is lost. Only this package handles that.
 *   <li>An unreachable database is not reported by the chore, but by the parts that depend on it.
 *       If the database answers with a failure, such as a locked table, the chore rests for a
 *       while.
 *   <li>A bug is logged once, the chore's session is rolled back, and the chore continues. An
 *       {@link Error} reaches the lane's thread and ends the host; the chore has no further turn.
 *   <li>At the end the owner closes the timer and the lanes: work in progress is interrupted, or
 *       loses its session, and no turn follows.
 * </ul>
 *
 * <p>This package has no chores and no threads.
 */
@NullMarked
package dev.recorder.machine.schedule;

import org.jspecify.annotations.NullMarked;
