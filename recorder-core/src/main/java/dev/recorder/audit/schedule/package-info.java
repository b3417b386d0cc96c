/**
 * Scheduled proof of a log, each time of the slots since the last one ({@link
 * dev.recorder.audit.schedule.ScheduledAudit}). A port says when a verification is due, and stores
 * the last verdict, which is the only data written ({@link
 * dev.recorder.audit.schedule.VerdictStore}). All runs on the caller's thread.
 */
@NullMarked
package dev.recorder.audit.schedule;

import org.jspecify.annotations.NullMarked;
