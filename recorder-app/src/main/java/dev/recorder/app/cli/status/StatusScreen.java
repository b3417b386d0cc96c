package dev.recorder.app.cli.status;

import dev.recorder.app.cli.output.Shown;
import dev.recorder.logging.Counted;
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
 * The status as it is drawn on a terminal again and again, in the place of what is there: a head
 * that says of when it is, and as much of the rest as there is room for. Where there is none for
 * all, the notes come first, the gravest at their head: what is as it should be can wait. Pure.
 *
 * @param shot what was seen last; null if nothing was yet
 * @param age how long ago that was
 * @param trouble why nothing was seen since; empty if it was seen just now
 */
record StatusScreen(@Nullable Shot shot, Duration age, String trouble) {
  /** A look that takes longer is mentioned: most take milliseconds. */
  static final Duration OLD = Duration.ofSeconds(3);

  private static final String HOME = "\u001b[H";

  /** At its beginning: at the end of a line that is full it would take the last character away. */
  private static final String CLEAR_LINE = "\u001b[K";

  private static final String CLEAR_BELOW = "\n\u001b[J";

  /**
   * What was seen of a database at one time.
   *
   * @param at by the database's clock
   * @param tables of machines and recorders
   */
  record Shot(Instant at, List<Note> notes, String tables) {
    Shot {
      notes = List.copyOf(notes);
    }
  }

  /** What to print. */
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
          "… " + Counted.of(hidden, "more line", "more lines") + ", for which there is no room");
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
      lines.add((shot == null ? "" : "this is " + Ages.of(age) + " old: ") + Shown.of(why));
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

  /** By characters, of which a terminal shows most in one column. */
  private static String clipped(String line, int columns) {
    int width = Math.max(1, columns);
    return line.codePointCount(0, line.length()) <= width
        ? line
        : line.substring(0, line.offsetByCodePoints(0, width));
  }
}
