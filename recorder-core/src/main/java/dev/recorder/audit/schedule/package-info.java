/**
 * Proof of a log again and again, each time of what has come since ({@link
 * dev.recorder.audit.schedule.ScheduledAudit}). When it is time is behind a port, and so is the
 * last verdict, the only thing that is written ({@link dev.recorder.audit.schedule.VerdictStore}).
 * On the caller's thread.
 */
@NullMarked
package dev.recorder.audit.schedule;

import org.jspecify.annotations.NullMarked;
