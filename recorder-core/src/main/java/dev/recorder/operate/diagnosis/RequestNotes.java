package dev.recorder.operate.diagnosis;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.RecorderFacts;
import java.util.List;

/** Who does not process a recorder's requests, and whether anybody could. Pure. */
record RequestNotes(Facts facts, RecorderFacts recorder, List<Note> notes) {

  void add() {
    List<HostFacts> candidates =
        facts.living().stream().filter(host -> host.has(recorder)).toList();
    // Also of a recorder that is paused: whoever resumes it relies on somebody being there.
    if (!Activity.of(facts, recorder).isHeld()) {
      String why =
          facts.living().isEmpty()
              ? facts.whyNoHost()
              : candidates.isEmpty()
                  ? "no living host has it in its file"
                  : "no living host is able to";
      notes.add(
          new Note(
              candidates.stream().anyMatch(host -> host.isBeingChecked(recorder))
                  ? Severity.NOTICE
                  : Severity.CRITICAL,
              NoteKind.NOBODY_PROCESSES,
              recorder.name(),
              "",
              "no host processes it: " + why));
    }
    for (HostFacts host : facts.living()) {
      switch (HostRole.of(facts, recorder, host).actual()) {
        case REFUSED -> stated(host, NoteKind.REFUSED, About.REFUSED, "refused: ");
        case NOT_ABLE -> stated(host, NoteKind.NOT_ABLE, About.UNABLE, "not able to process it: ");
        default -> {
          // It works, or somebody has paused it.
        }
      }
    }
  }

  private void stated(HostFacts host, NoteKind kind, About about, String words) {
    host.condition(recorder.name(), about)
        .ifPresent(
            c ->
                notes.add(
                    new Note(
                        host.isBeingChecked(recorder) ? Severity.NOTICE : Severity.WARNING,
                        kind,
                        recorder.name(),
                        host.name(),
                        words + c.why())));
  }
}
