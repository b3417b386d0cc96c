package dev.recorder.audit.schedule;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.LogRecords;
import dev.recorder.audit.LogRecords.SettledLog;
import dev.recorder.audit.LogVerifier;
import dev.recorder.audit.Progress;
import dev.recorder.audit.SecondReader;
import dev.recorder.audit.objects.UnfinishedException;
import dev.recorder.audit.schedule.VerdictStore.Noted;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import java.util.Optional;

/**
 * Verifies a log on a schedule: the slots since the last verdict, or the whole log if an operator
 * orders that. If the last verdict does not apply to this log any more, it begins where rows are
 * still kept. For one use and one thread.
 */
public final class ScheduledAudit {
  private final LogVerifier verifier;
  private final LogRecords records;
  private final VerdictStore verdictStore;

  /** Creates an audit that writes its verdict to {@code verdictStore}. */
  public ScheduledAudit(LogVerifier verifier, LogRecords records, VerdictStore verdictStore) {
    this.verifier = verifier;
    this.records = records;
    this.verdictStore = verdictStore;
  }

  /**
   * Verifies the log if that is due.
   *
   * @return the verdict; empty if it was not due, or if the term has ended meanwhile
   * @throws UnreadableSlotException if the store does not answer
   * @throws UnfinishedException if the verification ended unfinished
   */
  public Optional<AuditVerdict> run(Progress progress) throws UnreadableSlotException {
    Noted noted = verdictStore.look();
    if (!noted.isDue() && noted.asked() == 0) {
      return Optional.empty();
    }
    SettledLog settled = records.settled(); // First: the verifier then proves at least this.
    long from = new ScheduledBeginning(records, settled).after(noted);
    AuditResult result = verifier.verify(from, SecondReader.NOBODY, progress);
    boolean isWhole = from <= settled.head().firstSlot();
    AuditVerdict verdict =
        new AuditVerdict(from, settled.head().lastSlot(), isWhole, settled, result);
    return verdictStore.note(verdict) ? Optional.of(verdict) : Optional.empty();
  }
}
