package dev.recorder.operate;

import dev.recorder.operate.Note.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What is not as it should be, told from what was read. Pure. */
public final class Notes {
  private Notes() {}

  /** All there are, the gravest first. */
  public static List<Note> of(Facts facts, Limits limits) {
    List<Note> notes = new ArrayList<>();
    for (RecorderFacts recorder : facts.recorders()) {
      if (recorder.isLog()) {
        new LeadershipNotes(facts, limits, recorder, notes).add();
      } else {
        new RequestNotes(facts, recorder, notes).add();
      }
      new ProgressNotes(facts, limits, recorder, notes).add();
      new VerdictNotes(facts, recorder, notes).add();
    }
    new SiteNotes(facts, limits, notes).add();
    notes.sort(Comparator.comparing(Note::severity).reversed());
    return List.copyOf(notes);
  }

  /** How grave the gravest is; empty if there are none. */
  public static Optional<Severity> worst(List<Note> notes) {
    return notes.stream().map(Note::severity).max(Comparator.naturalOrder());
  }
}
