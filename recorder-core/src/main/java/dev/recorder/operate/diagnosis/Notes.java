package dev.recorder.operate.diagnosis;

import dev.recorder.operate.diagnosis.HostRole.Actual;
import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.RecorderFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Notes on problems, made from the facts of a site. Pure. */
public final class Notes {
  private Notes() {}

  /** Returns all notes, the gravest first. */
  public static List<Note> of(Facts facts, Limits limits) {
    List<Note> notes = new ArrayList<>();
    for (RecorderFacts recorder : facts.recorders()) {
      if (facts.isRetired(recorder)) {
        notes.add(retired(recorder));
      } else if (recorder.isLog()) {
        new LeadershipNotes(facts, limits, recorder, notes).add();
      } else {
        new RequestNotes(facts, recorder, notes).add();
      }
      new ProgressNotes(facts, limits, recorder, notes).add();
      new VerdictNotes(facts, recorder, notes).add();
    }
    facts.unregistered().forEach(each -> unregistered(facts, each, notes));
    new SiteNotes(facts, limits, notes).add();
    notes.sort(Comparator.comparing(Note::severity).reversed());
    return List.copyOf(notes);
  }

  private static Note retired(RecorderFacts recorder) {
    return new Note(
        Severity.NOTICE,
        recorder.isLog() ? NoteKind.NOBODY_RECORDS : NoteKind.NOBODY_PROCESSES,
        recorder.name(),
        "",
        "it is retired: no living host has it in its file, and no rows wait");
  }

  /** Notes a recorder that has never been run by any host. */
  private static void unregistered(Facts facts, RecorderFacts recorder, List<Note> notes) {
    for (HostRole role : HostRole.living(facts, recorder)) {
      if (role.why() != null) {
        boolean isRefused = role.actual() == Actual.REFUSED;
        notes.add(
            new Note(
                role.isBeingChecked() ? Severity.NOTICE : Severity.CRITICAL,
                isRefused ? NoteKind.REFUSED : NoteKind.NOT_ABLE,
                recorder.name(),
                role.host().name(),
                "no host has ever run it; %s: %s"
                    .formatted(isRefused ? "refused" : "not able to", role.why())));
      }
    }
  }

  /** Returns the highest severity; empty if there are no notes. */
  public static Optional<Severity> worst(List<Note> notes) {
    return notes.stream().map(Note::severity).max(Comparator.naturalOrder());
  }
}
