package dev.recorder.capture.postgres.columns;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.WithCaptureSite;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A table of which a capture has some columns only, and what becomes of it. */
abstract class ChosenColumns extends WithCaptureSite {
  private final OldImage old;

  ChosenColumns(OldImage old) {
    this.old = old;
  }

  @BeforeEach
  void create() throws Exception {
    site.run("CREATE TABLE t (id int PRIMARY KEY, a text NOT NULL, secret text)");
  }

  final CaptureOptions except(String... columns) {
    return new CaptureOptions(new ColumnChoice(List.of(), List.of(columns)), null, null, old);
  }

  final CaptureOptions only(String... columns) {
    return new CaptureOptions(new ColumnChoice(List.of(columns), List.of()), null, null, old);
  }

  /** What is found, but for what any such table is told. */
  final List<String> findings(boolean losesChanges) {
    try (Captures captures = site.captures()) {
      return captures.check().stream()
          .filter(finding -> finding.losesChanges() == losesChanges)
          .map(CaptureFinding::text)
          .filter(text -> !text.startsWith("nothing limits"))
          .filter(text -> !text.startsWith("columns have changed since it was set up"))
          .toList();
    }
  }
}
