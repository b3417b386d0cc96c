package dev.recorder.app.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.status.StatusScreen.Shot;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is drawn on terminals of all sizes. */
class StatusScreenTest {
  private static final Instant AT = Instant.parse("2026-11-23T12:00:00.123Z");
  private static final String TEXT = "MACHINE  ALIVE\nhost-a   yes\nhost-b   no\n";
  private static final TerminalSize LARGE = new TerminalSize(200, 50);

  private static Shot shot(Severity... severities) {
    return new Shot(
        AT,
        List.of(severities).stream().map(s -> new Note(s, NoteKind.STUCK, "", "", "why")).toList(),
        TEXT);
  }

  private static StatusScreen now(Severity... severities) {
    return new StatusScreen(shot(severities), Duration.ofMillis(20), "");
  }

  /** What a terminal shows of it. */
  private static List<String> lines(StatusScreen screen, TerminalSize size) {
    return screen.drawn(size).replaceAll("\u001b\\[[HKJ]", "").lines().toList();
  }

  @Test
  void theHeadSaysOfWhenItIsAndHowThingsAre() {
    assertThat(lines(now(), LARGE))
        .containsExactly(
            "recorder status as of 2026-11-23 12:00:00Z: all is well",
            "",
            "MACHINE  ALIVE",
            "host-a   yes",
            "host-b   no");
    assertThat(lines(now(Severity.CRITICAL, Severity.WARNING, Severity.NOTICE), LARGE).get(0))
        .endsWith(": 1 critical, 1 warning");
    assertThat(lines(now(Severity.WARNING), LARGE))
        .endsWith("host-b   no", "", "WARNING why [runbook.md#note-stuck]");
  }

  @Test
  void itIsDrawnInThePlaceOfWhatIsThere() {
    assertThat(now(Severity.WARNING).drawn(LARGE))
        .startsWith("\u001b[H\u001b[Krecorder status as of ")
        .contains("\n\u001b[KMACHINE  ALIVE\n\u001b[Khost-a")
        .endsWith("WARNING why [runbook.md#note-stuck]\n\u001b[J");
  }

  @Test
  void noLineIsWiderThanTheTerminal() {
    assertThat(lines(now(), new TerminalSize(10, 50)))
        .contains("recorder s", "host-a   y")
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(10));
    Shot wide = new Shot(AT, List.of(), "\ud83d\ude80".repeat(20));
    assertThat(lines(new StatusScreen(wide, Duration.ZERO, ""), new TerminalSize(10, 50)).get(2))
        .isEqualTo("\ud83d\ude80".repeat(10));
  }

  /** A line break in the last line of a terminal would move all others up. */
  @Test
  void whatHasNoRoomIsCountedAndNothingScrolls() {
    TerminalSize small = new TerminalSize(80, 4);

    assertThat(lines(now(), small))
        .containsExactly(
            "recorder status as of 2026-11-23 12:00:00Z: all is well",
            "",
            "MACHINE  ALIVE",
            "… 2 more lines, for which there is no room");
    assertThat(now().drawn(small)).endsWith("no room");
    assertThat(lines(now(), new TerminalSize(80, 5))).endsWith("host-b   no");
    assertThat(now().drawn(new TerminalSize(80, 5))).endsWith("host-b   no");
    assertThat(lines(now(), new TerminalSize(80, 1)))
        .containsExactly("… 5 more lines, for which there is no room");
  }

  @Test
  void whereThereIsNoRoomForAllNoNoteGivesWayToATable() {
    StatusScreen noted = now(Severity.NOTICE, Severity.WARNING, Severity.CRITICAL);

    assertThat(lines(noted, new TerminalSize(80, 9)))
        .endsWith(
            "host-b   no",
            "",
            "CRITICAL why [runbook.md#note-stuck]",
            "WARNING why [runbook.md#note-stuck]",
            "NOTICE why [runbook.md#note-stuck]");
    assertThat(lines(noted, new TerminalSize(80, 8)))
        .containsExactly(
            "recorder status as of 2026-11-23 12:00:00Z: 1 critical, 1 warning",
            "",
            "CRITICAL why [runbook.md#note-stuck]",
            "WARNING why [runbook.md#note-stuck]",
            "NOTICE why [runbook.md#note-stuck]",
            "",
            "MACHINE  ALIVE",
            "… 2 more lines, for which there is no room");
    assertThat(lines(noted, new TerminalSize(80, 4)))
        .endsWith(
            "",
            "CRITICAL why [runbook.md#note-stuck]",
            "… 6 more lines, for which there is no room");
  }

  @Test
  void whileTheDatabaseDoesNotAnswerItSaysHowOldItIs() {
    assertThat(lines(new StatusScreen(shot(), Duration.ofSeconds(12), "refused\nmore"), LARGE))
        .startsWith(
            "recorder status as of 2026-11-23 12:00:00Z: all is well",
            "this is 12 s old: refused",
            "",
            "MACHINE  ALIVE");
    assertThat(lines(new StatusScreen(shot(), Duration.ofSeconds(4), ""), LARGE).get(1))
        .isEqualTo("this is 4 s old: the database has not answered since");
  }

  @Test
  void beforeTheFirstLookItSaysSo() {
    String nothing = "recorder status: the database has said nothing yet";

    assertThat(lines(new StatusScreen(null, Duration.ofSeconds(9), ""), LARGE))
        .containsExactly(nothing);
    assertThat(lines(new StatusScreen(null, Duration.ofSeconds(9), "no \u001b[2J"), LARGE))
        .containsExactly(nothing, "no \\u001b[2J");
  }
}
