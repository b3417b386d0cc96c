/**
 * One running host: the loops and lanes that carry out the decisions of {@code leadership}, {@code
 * slotlog} and {@code requests} on database and bucket. An active host also clears recorded rows,
 * keeps tables captured, verifies logs on a schedule, and takes operators' orders.
 *
 * <p>This package has the host itself, its control loop and the registry of its recorders. Below it
 * are, each using only those after it: {@code term} (one recorder here, and its term), {@code
 * chores} (periodic looks), {@code shared} (sessions and pools), {@code poll} (whether rows may
 * have come), {@code schedule} (when chores are done), {@code settings}.
 *
 * <p>Decisions about terms, slots and requests are made in the wings, not here. Decisions here
 * concern only this process: how often to look and how fast to verify ({@code PollPace}, {@code
 * AuditPace}), the order of work, and log lines ({@code ToldOnce}). This package has no SQL.
 *
 * <p>Threads:
 *
 * <ul>
 *   <li>The caller of {@code Machine.run} runs the coordinator.
 *   <li>{@code control-session-1} belongs to the RdsManager.
 *   <li>{@code data-session-N-1} run database effects; the last two of them clear tables and check
 *       captures.
 *   <li>{@code packing-N} hash and compress the rows that data sessions read.
 *   <li>{@code store-N} run S3 effects, and {@code store-test-N} the racing requests of a store's
 *       test.
 *   <li>{@code chore-N} look at other hosts and locks, and carry out orders.
 *   <li>{@code verify-1} verifies logs on a schedule, and {@code table-1} writes their tables.
 *   <li>{@code lookout-1} looks for new rows of all logs.
 *   <li>{@code peer-watch-1} waits for the end of a peer's session.
 *   <li>{@code timer-1} wakes the others.
 *   <li>{@code elected-worker-LOCK-1} requests the key of a recorder with {@code election = redis}.
 * </ul>
 *
 * <p>The threads of {@code requests.worker} are listed there. Each writer's state machine is
 * guarded by its driver's monitor.
 */
@NullMarked
package dev.recorder.machine;

import org.jspecify.annotations.NullMarked;
