/**
 * What a machine looks at every few seconds, whatever it is active for: the configuration of its
 * peers, locks that others hold, old row versions, pauses and orders: as chores of {@code schedule}
 * on the lane of {@code shared}. The database is asked on the control session.
 */
@NullMarked
package dev.recorder.machine.chores;

import org.jspecify.annotations.NullMarked;
