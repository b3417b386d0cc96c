/**
 * One recorder on this host: whether the host could take it ({@link
 * dev.recorder.machine.term.Preparation}), and its term ({@link
 * dev.recorder.machine.term.RecorderWorker}). During a term the log is written ({@link
 * dev.recorder.machine.term.WriterDriver}), cleared, and verified on a schedule.
 *
 * <p>The control loop reports the decisions of {@code leadership}; effects run on the sessions and
 * pools of {@code shared}. Each writer's state machine is guarded by its driver's monitor.
 */
@NullMarked
package dev.recorder.machine.term;

import org.jspecify.annotations.NullMarked;
