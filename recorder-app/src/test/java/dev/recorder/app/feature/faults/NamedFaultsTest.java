package dev.recorder.app.feature.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.docs.Documents;
import dev.recorder.operate.diagnosis.Note;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What the table of named faults names is there; {@link NamedFaultsIT} sees it said. */
class NamedFaultsTest {
  private static final int FAULTS = 10;

  @Test
  void kindsOfNotesMetricsAndAlertsExist() {
    List<String> kinds =
        Arrays.stream(Note.NoteKind.values())
            .map(kind -> kind.name().toLowerCase(Locale.ROOT))
            .toList();
    String metrics = Documents.text("docs/metrics.md");
    List<String> alerts = Documents.anchored("docs/alerts.md");

    assertThat(NamedFault.rows()).hasSize(FAULTS);
    for (List<String> row : NamedFault.rows()) {
      assertThat(NamedFault.quoted(row.get(Channel.STATUS.column)))
          .isNotEmpty()
          .allSatisfy(note -> assertThat(note.split(":", 2)[0]).isIn(kinds));
      assertThat(NamedFault.quoted(row.get(Channel.METRICS.column)))
          .isNotEmpty()
          .allSatisfy(
              series -> assertThat(metrics).contains("\n| `" + series.split("\\{", 2)[0] + "` | "));
      assertThat(NamedFault.quoted(row.get(NamedFault.ALERTS))).isNotEmpty().isSubsetOf(alerts);
    }
  }

  @Test
  void whatWasMeasuredIsWithinFiveSecondsOfTheBound() {
    for (List<String> row : NamedFault.rows()) {
      Duration most = NamedFault.bound(row).plus(NamedFault.NAMED_WITHIN);
      assertThat(row.get(NamedFault.MEASURED).replace(" s", "").split(", "))
          .hasSize(Channel.values().length)
          .allSatisfy(
              seconds ->
                  assertThat(Duration.ofMillis((long) (1e3 * Double.parseDouble(seconds))))
                      .as(row.get(0))
                      .isLessThanOrEqualTo(most));
    }
  }
}
