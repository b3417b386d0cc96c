package dev.recorder.operate.diagnosis;

import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.LastVerdict.VerificationOutcome;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.RecorderFacts;
import java.util.List;

/** Notes on a log that is verified on a schedule. Pure. */
record VerdictNotes(Facts facts, RecorderFacts recorder, List<Note> notes) {

  void add() {
    LastVerdict last = recorder.verdict();
    if (last == null) {
      return;
    }
    VerificationOutcome outcome = last.outcome();
    if (outcome != null && last.isFailed()) {
      note(
          Severity.CRITICAL,
          NoteKind.VERIFY_FAILED,
          "verified %s ago, %s: %s"
              .formatted(
                  Ages.of(facts.ago(outcome.endedAt())),
                  outcome.slots(),
                  LastVerdict.faults(outcome)));
    }
    if (last.isLate(facts.at()) && !facts.isRetired(recorder)) {
      String why = last.trouble() == null ? "" : ": " + last.trouble();
      note(
          Severity.WARNING,
          NoteKind.VERIFY_LATE,
          "its verification has been due for %s%s"
              .formatted(Ages.of(last.overdue(facts.at())), why));
    }
  }

  private void note(Severity severity, NoteKind kind, String sentence) {
    notes.add(new Note(severity, kind, recorder.name(), "", sentence));
  }
}
