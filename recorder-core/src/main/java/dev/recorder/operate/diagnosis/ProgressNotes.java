package dev.recorder.operate.diagnosis;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.RecorderFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Notes on a recorder's progress. Pure. */
record ProgressNotes(Facts facts, Limits limits, RecorderFacts recorder, List<Note> notes) {

  void add() {
    for (HostFacts host : facts.living()) {
      if (host.isActive(recorder)) {
        active(host);
      }
    }
    facts.living().stream()
        .flatMap(
            host -> host.condition(recorder.name(), About.CAPTURE).stream().map(c -> lost(host, c)))
        .findFirst()
        .ifPresent(notes::add);
    PausedRecorder paused = recorder.paused();
    if (paused != null) {
      notes.add(
          new Note(Severity.WARNING, NoteKind.PAUSED, recorder.name(), "", paused.toString()));
    }
    Instant oldest = recorder.oldestWaiting();
    if (oldest != null && facts.ago(oldest).compareTo(limits.waiting()) > 0) {
      Duration age = facts.ago(oldest);
      boolean isCritical =
          paused == null && age.compareTo(limits.waiting().multipliedBy(Limits.CRITICAL_TIMES)) > 0;
      notes.add(
          new Note(
              isCritical ? Severity.CRITICAL : Severity.WARNING,
              NoteKind.OLD_ROWS,
              recorder.name(),
              "",
              "the oldest row or request has waited for %s, more than %s"
                  .formatted(Ages.of(age), Ages.of(limits.waiting()))));
    }
  }

  private Note lost(HostFacts host, Condition losing) {
    return new Note(
        Severity.WARNING,
        NoteKind.CHANGES_LOST,
        recorder.name(),
        host.name(),
        "changes of captured tables have been lost for %s: %s"
            .formatted(Ages.of(losing.lasts()), losing.why()));
  }

  private void active(HostFacts host) {
    if (!host.isStuck(recorder)) {
      host.condition(recorder.name(), About.HELD_UP)
          .ifPresent(
              c ->
                  notes.add(
                      new Note(
                          Severity.WARNING,
                          NoteKind.HELD_UP,
                          recorder.name(),
                          host.name(),
                          "held up for %s: %s".formatted(Ages.of(c.lasts()), c.why()))));
    }
    host.condition(recorder.name(), About.TABLE)
        .ifPresent(
            c ->
                notes.add(
                    new Note(
                        c.lasts().compareTo(limits.lasting()) > 0
                            ? Severity.WARNING
                            : Severity.NOTICE,
                        NoteKind.TABLE_LATE,
                        recorder.name(),
                        host.name(),
                        "the table has been behind the log for %s: %s"
                            .formatted(Ages.of(c.lasts()), c.why()))));
    host.condition(recorder.name(), About.CLEARING)
        .ifPresent(
            c ->
                notes.add(
                    new Note(
                        c.lasts().compareTo(limits.lasting()) > 0
                            ? Severity.WARNING
                            : Severity.NOTICE,
                        NoteKind.CLEARING_WAITS,
                        recorder.name(),
                        host.name(),
                        "clearing has waited for %s: %s".formatted(Ages.of(c.lasts()), c.why()))));
  }
}
