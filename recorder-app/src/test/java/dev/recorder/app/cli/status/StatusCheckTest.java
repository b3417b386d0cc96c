package dev.recorder.app.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusCheckTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
  private static final Facts FACTS =
      new Facts(
          NOW,
          List.of(),
          List.of(
              new RecorderFacts(
                  new RecorderStatus("orders", 1, "log", "a", 3, 1, 41, NOW, new Backlog(7, false)),
                  NOW,
                  null,
                  null,
                  null,
                  NOW.minusSeconds(9),
                  null,
                  null)),
          Optional.empty());

  private static final String DATA =
      " | hosts_alive=0;;;0 orders_waiting=7;;;0 orders_oldest=9s;;;0 orders_slot=41c";

  @Test
  void withoutNotesAllIsFine() {
    assertThat(StatusCheck.lines(site(List.of())))
        .containsExactly("RECORDER OK - 1 recorder, 0 hosts alive" + DATA);
    assertThat(StatusCheck.exitCode(List.of())).isZero();
  }

  @Test
  void whatIsOnlyWorthKnowingIsFine() {
    List<Note> notes = List.of(note(Severity.NOTICE, "it moves"));

    assertThat(StatusCheck.lines(site(notes)).get(0)).startsWith("RECORDER OK - ");
    assertThat(StatusCheck.exitCode(notes)).isZero();
  }

  @Test
  void theGravestDecidesAndTheOthersFollow() {
    List<Note> notes =
        List.of(
            note(Severity.CRITICAL, "stuck on a | b\nc"),
            note(Severity.WARNING, "files differ"),
            note(Severity.NOTICE, "it moves"));

    assertThat(StatusCheck.lines(site(notes)))
        .containsExactly(
            "RECORDER CRITICAL - orders: stuck on a / b\\nc; and 1 more" + DATA,
            "WARNING - orders: files differ");
    assertThat(StatusCheck.exitCode(notes)).isEqualTo(2);
    assertThat(StatusCheck.exitCode(notes.subList(1, 3))).isEqualTo(1);
  }

  private static Diagnosis site(List<Note> notes) {
    return new Diagnosis(FACTS, List.of(), List.of(), notes);
  }

  private static Note note(Severity severity, String sentence) {
    return new Note(severity, NoteKind.STUCK, "orders", "", sentence);
  }
}
