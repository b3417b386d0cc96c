package dev.recorder.machine;

import dev.recorder.operate.Inspection;
import dev.recorder.operate.diagnosis.Notes;
import dev.recorder.operate.site.Limits;
import dev.recorder.postgres.TestSessions;
import dev.recorder.testing.servers.TestDatabase;
import java.time.Duration;
import java.util.List;

/** What {@code recorder status} would say of a database to which one host belongs. */
final class OperatorNotes {
  private static final Limits LIMITS = new Limits(Duration.ofMinutes(1), Duration.ofSeconds(4), 1);

  private OperatorNotes() {}

  /** Each with its severity in front. */
  static List<String> of(TestDatabase database) {
    try (Inspection inspection = Inspection.open(TestSessions.patient(database, "outside"))) {
      return Notes.of(inspection.facts(Duration.ofMinutes(1), 10), LIMITS).stream()
          .map(note -> note.severity() + " " + note.inFull())
          .toList();
    }
  }
}
