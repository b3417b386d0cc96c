/**
 * One running instance: the loops and lanes that carry out what {@code leadership} and {@code
 * slotlog} decide, over the adapters.
 *
 * <p>Threads: the thread that called {@code Machine.run} runs the coordinator; {@code
 * control-session-1} is the RdsManager's; {@code data-session-N-1} run database effects, and the
 * last two of them clear tables and look after captures; {@code packing-N} hash and compress what
 * those read; {@code verify-N} verifies logs on a schedule; {@code store-N} run S3 effects; {@code
 * timer-1} wakes; {@code lookout-1} looks for new rows of all logs; {@code elected-worker-LOCK-1}
 * asks for the key of a recorder with {@code election = redis}. Each writer's state machine is
 * guarded by its driver's monitor. No decision is made here.
 */
@NullMarked
package dev.recorder.machine;

import org.jspecify.annotations.NullMarked;
