package dev.recorder.audit.schedule;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.LogRecords.SettledLog;

/**
 * What a verification on a schedule has found.
 *
 * @param from the first slot that was looked at
 * @param to the last one that was settled when it began; some behind it may have been looked at
 * @param isWhole whether it began where the log does
 * @param standing the log as it began
 */
public record AuditVerdict(
    long from, long to, boolean isWhole, SettledLog standing, AuditResult result) {

  /**
   * The slot that the next one begins with. What has faults is looked at again, until it has none:
   * a later verdict must not hide them. Else it is the last slot that was proved, so that the next
   * shows that nothing lies between it and its successor.
   */
  public long next() {
    return result.ok() ? Math.max(to, 1) : from;
  }
}
