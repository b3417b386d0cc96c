/**
 * One running instance: the loops and lanes that carry out what {@code leadership}, {@code slotlog}
 * and {@code requests} decide, over the adapters; and what an active machine does besides: clears
 * recorded rows, keeps tables captured, verifies logs on a schedule, takes operators' orders.
 *
 * <p>This package has the machine itself, its control loop and the registry of its recorders. Below
 * it, each knowing only those named after it: {@code term} (one recorder here, and its term) and
 * {@code chores} (looks every few seconds), {@code shared} (sessions and pools), {@code poll}
 * (whether rows may have come), {@code schedule} (when chores are done), {@code settings}.
 *
 * <p>Decisions about terms, slots and requests are made in the wings, not here. What is decided
 * here is only about this process: how often to look and how fast to verify ({@code PollPace},
 * {@code AuditPace}), what to do in which order, what to log ({@code ToldOnce}). Here may not live:
 * SQL.
 *
 * <p>Threads: the caller of {@code Machine.run} runs the coordinator; {@code control-session-1} is
 * the RdsManager's; {@code data-session-N-1} run database effects, and the last two of them clear
 * tables and look after captures; {@code packing-N} hash and compress what those read; {@code
 * store-N} run S3 effects, and {@code store-test-N} the racing requests of a store's test; {@code
 * chore-N} look at other machines and locks and carry out orders; {@code verify-1} verifies logs on
 * a schedule, {@code table-1} writes their tables; {@code lookout-1} looks for new rows of all
 * logs; {@code peer-watch-1} hears of the end of another machine's session; {@code timer-1} wakes;
 * {@code elected-worker-LOCK-1} asks for the key of a recorder with {@code election = redis}. The
 * threads of {@code requests.worker} are listed there. Each writer's state machine is guarded by
 * its driver's monitor.
 */
@NullMarked
package dev.recorder.machine;

import org.jspecify.annotations.NullMarked;
