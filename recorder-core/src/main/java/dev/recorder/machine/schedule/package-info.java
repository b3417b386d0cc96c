/**
 * What a machine does beside its control loop, again and again: each a {@link
 * dev.recorder.machine.schedule.Chore}, kept by the one {@link
 * dev.recorder.machine.schedule.Schedule} of the machine.
 *
 * <ul>
 *   <li>The timer's thread only hands work over. The work runs on the chore's lane, an executor
 *       with a bound of its own; a session of the database has one thread, which is its lane.
 *   <li>A chore is on its lane once at most. A work that hangs keeps its thread, and nothing of it
 *       waits behind: others are held up only where the lane has no other thread.
 *   <li>A lane that is full, or closed, loses one turn. This is the one place that is told so.
 *   <li>A database that does not answer is no trouble of the chore: whoever needs it more tells. It
 *       is left alone for a while if it answers, but not with what was asked, such as a table that
 *       is locked.
 *   <li>A bug is logged once and the chore goes on; what was open on its session is rolled back. An
 *       {@link Error} goes on to the lane's thread, and so ends the machine; such a chore has no
 *       further turn.
 *   <li>At the end the timer and the lanes are closed, by who made them: work under way is
 *       interrupted, or loses its session, and no turn follows.
 * </ul>
 *
 * <p>Here may not live: what is looked at, and threads.
 */
@NullMarked
package dev.recorder.machine.schedule;

import org.jspecify.annotations.NullMarked;
