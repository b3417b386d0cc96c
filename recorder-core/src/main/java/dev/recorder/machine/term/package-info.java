/**
 * One recorder on this machine: whether it could be taken here ({@link
 * dev.recorder.machine.term.Preparation}), and a term of it ({@link
 * dev.recorder.machine.term.RecorderWorker}), which writes the log ({@link
 * dev.recorder.machine.term.WriterDriver}), clears it and verifies it on a schedule.
 *
 * <p>What {@code leadership} decided is told by the control loop; effects run on the sessions and
 * pools of {@code shared}. Each writer's state machine is guarded by its driver's monitor.
 */
@NullMarked
package dev.recorder.machine.term;

import org.jspecify.annotations.NullMarked;
