package dev.recorder.audit.schedule;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.LogRecords.SettledLog;

/**
 * The verdict of a scheduled verification.
 *
 * @param from the first examined slot
 * @param to the last settled slot when the verification began; later slots may have been examined,
 *     too
 * @param isWhole whether it began with the log's first slot
 * @param standing the state of the log at the beginning
 */
public record AuditVerdict(
    long from, long to, boolean isWhole, SettledLog standing, AuditResult result) {

  /**
   * Returns the first slot of the next verification. After faults it is the same first slot, so
   * that a later verdict does not hide them. Otherwise it is the last proved slot, so that the next
   * verification shows that nothing lies between this slot and its successor.
   */
  public long next() {
    return result.ok() ? Math.max(to, 1) : from;
  }
}
