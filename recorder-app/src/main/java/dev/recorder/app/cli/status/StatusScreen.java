package dev.recorder.app.cli.status;

import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.logging.Plurals;
import dev.recorder.operate.diagnosis.Ages;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.diagnosis.Note.Severity;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One drawing of the status for {@code --watch}: a headline with the time, then as much as fits. If
 * the tables do not fit, the notes come first, the gravest at the top. Pure.
 *
 * @param shot the last sample; null if there is none
 * @param age the age of the sample
 * @param trouble why the last attempt to sample failed; empty if it did not
 */
record StatusScreen(@Nullable Shot shot, Duration age, String trouble) {
  /** From this age on, the headline says how old the sample is. Most samples take milliseconds. */
  static final Duration OLD = Duration.ofSeconds(3);

  private static final String HOME = "\u001b[H";

  /**
   * Printed at the start of a line: at the end of a full line it would erase the last character.
   */
  private static final String CLEAR_LINE = "\u001b[K";

  private static final String CLEAR_BELOW = "\n\u001b[J";

  /**
   * A sample of the database.
   *
   * @param at the time of the sample by the database's clock
   * @param notes the notes on problems
   * @param tables the tables of hosts and recorders
   */
  record Shot(Instant at, List<Note> notes, String tables) {
    Shot {
      notes = List.copyOf(notes);
    }
  }

  String drawn(TerminalSize size) {
    List<String> lines = fitting(size);
    String drawn = HOME + CLEAR_LINE + String.join("\n" + CLEAR_LINE, lines);
    return lines.size() < size.lines() ? drawn + CLEAR_BELOW : drawn;
  }

  private List<String> fitting(TerminalSize size) {
    int room = Math.max(1, size.lines());
    List<String> all = lines(false);
    if (all.size() > room) {
      all = lines(true);
      int hidden = all.size() - (room - 1);
      all = new ArrayList<>(all.subList(0, room - 1));
      all.add(
          "… " + Plurals.of(hidden, "more line", "more lines") + ", for which there is no room");
    }
    return all.stream().map(line -> clipped(line, size.columns())).toList();
  }

  private List<String> lines(boolean notesFirst) {
    List<String> lines = new ArrayList<>();
    head(lines);
    if (shot != null) {
      List<String> tables = shot.tables().lines().toList();
      List<String> notes =
          shot.notes().stream()
              .sorted(Comparator.comparing(Note::severity).reversed())
              .map(StatusView::line)
              .toList();
      List.of(notesFirst ? notes : tables, notesFirst ? tables : notes)
          .forEach(part -> add(lines, part));
    }
    return lines;
  }

  private static void add(List<String> lines, List<String> part) {
    if (!part.isEmpty()) {
      lines.add("");
      lines.addAll(part);
    }
  }

  private void head(List<String> lines) {
    if (shot == null) {
      lines.add("recorder status: the database has said nothing yet");
    } else {
      lines.add(
          "recorder status as of %s: %s"
              .formatted(
                  shot.at().truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' '),
                  summary(shot.notes())));
    }
    boolean isLate = age.compareTo(OLD) >= 0;
    if (!trouble.isEmpty() || (isLate && shot != null)) {
      String why =
          trouble.isEmpty()
              ? "the database has not answered since"
              : trouble.lines().findFirst().orElse("");
      lines.add((shot == null ? "" : "this is " + Ages.of(age) + " old: ") + EscapedText.of(why));
    }
  }

  private static String summary(List<Note> notes) {
    long critical = notes.stream().filter(n -> n.severity() == Severity.CRITICAL).count();
    long warnings = notes.stream().filter(n -> n.severity() == Severity.WARNING).count();
    return critical + warnings == 0
        ? "all is well"
        : "%d critical, %d %s"
            .formatted(critical, warnings, warnings == 1 ? "warning" : "warnings");
  }

  /** Cuts a line to the terminal's width. Counts characters, most of which take one column. */
  private static String clipped(String line, int columns) {
    int width = Math.max(1, columns);
    return line.codePointCount(0, line.length()) <= width
        ? line
        : line.substring(0, line.offsetByCodePoints(0, width));
  }
}
