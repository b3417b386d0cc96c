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
 * Verifies a log again and again: what has come since the last verdict, the whole of it if somebody
 * asks for that, or if that verdict says nothing of this log any more, from where its rows are
 * still kept. One use, one thread.
 */
public final class ScheduledAudit {
  private final LogVerifier verifier;
  private final LogRecords records;
  private final VerdictStore verdictStore;

  /** An audit whose verdict goes into {@code verdictStore}. */
  public ScheduledAudit(LogVerifier verifier, LogRecords records, VerdictStore verdictStore) {
    this.verifier = verifier;
    this.records = records;
    this.verdictStore = verdictStore;
  }

  /**
   * Verifies, if it is time to.
   *
   * @return what was noted; empty if it is not time, or if the term has ended meanwhile
   * @throws UnreadableSlotException if the store gives no answer
   * @throws UnfinishedException if it was broken off
   */
  public Optional<AuditVerdict> run(Progress progress) throws UnreadableSlotException {
    Noted noted = verdictStore.look();
    if (!noted.isDue() && noted.asked() == 0) {
      return Optional.empty();
    }
    SettledLog settled = records.settled(); // Before the verifier asks: it proves at least so much.
    long from = new ScheduledBeginning(records, settled).after(noted);
    AuditResult result = verifier.verify(from, SecondReader.NOBODY, progress);
    boolean isWhole = from <= settled.head().firstSlot();
    AuditVerdict verdict =
        new AuditVerdict(from, settled.head().lastSlot(), isWhole, settled, result);
    return verdictStore.note(verdict) ? Optional.of(verdict) : Optional.empty();
  }
}
