/**
 * The periodic looks of a host, whatever it is active for: at the configuration of its peers, locks
 * that others hold, old row versions, pauses and orders. Each is a chore of {@code schedule} on a
 * lane of {@code shared}. They query the database on the control session.
 */
@NullMarked
package dev.recorder.machine.chores;

import org.jspecify.annotations.NullMarked;
