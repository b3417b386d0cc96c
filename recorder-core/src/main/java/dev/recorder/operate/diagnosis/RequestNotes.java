package dev.recorder.operate.diagnosis;

import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.RecorderFacts;
import java.util.List;

/** Notes on hosts that do not process a recorder's requests, and whether any host could. Pure. */
record RequestNotes(Facts facts, RecorderFacts recorder, List<Note> notes) {

  void add() {
    List<HostRole> living = HostRole.living(facts, recorder);
    List<HostRole> candidates = living.stream().filter(r -> r.host().has(recorder)).toList();
    // Also for a paused recorder, since the operator who resumes it relies on a host being there.
    if (!Activity.of(facts, recorder).isHeld()) {
      String why =
          facts.living().isEmpty()
              ? facts.whyNoHost()
              : candidates.isEmpty()
                  ? "no living host has it in its file"
                  : "no living host is able to";
      notes.add(
          new Note(
              candidates.stream().anyMatch(HostRole::isBeingChecked)
                  ? Severity.NOTICE
                  : Severity.CRITICAL,
              NoteKind.NOBODY_PROCESSES,
              recorder.name(),
              "",
              "no host processes it: " + why));
    }
    for (HostRole role : living) {
      switch (role.actual()) {
        case REFUSED -> note(role, NoteKind.REFUSED, "refused: ");
        case NOT_ABLE -> note(role, NoteKind.NOT_ABLE, "not able to process it: ");
        default -> {
          // The host works, or the recorder is paused.
        }
      }
    }
  }

  private void note(HostRole role, NoteKind kind, String words) {
    notes.add(
        new Note(
            role.isBeingChecked() ? Severity.NOTICE : Severity.WARNING,
            kind,
            recorder.name(),
            role.host().name(),
            words + role.why()));
  }
}
