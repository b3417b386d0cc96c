package dev.recorder.operate;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.Note.Kind;
import dev.recorder.operate.Note.Severity;
import java.util.List;

/** Which hosts do not process a recorder's requests, as they state themselves. Pure. */
record RequestNotes(Facts facts, RecorderFacts recorder, List<Note> notes) {

  void add() {
    for (HostFacts host : facts.living()) {
      switch (Standing.of(facts, recorder, host).actual()) {
        case REFUSED -> stated(host, Kind.REFUSED, About.REFUSED, "refused: ");
        case NOT_ABLE -> stated(host, Kind.NOT_ABLE, About.UNABLE, "not able to process it: ");
        default -> {
          // It works, or somebody has paused it.
        }
      }
    }
  }

  private void stated(HostFacts host, Kind kind, About about, String words) {
    host.condition(recorder.name(), about)
        .ifPresent(
            c ->
                notes.add(
                    new Note(
                        Severity.WARNING, kind, recorder.name(), host.name(), words + c.why())));
  }
}
