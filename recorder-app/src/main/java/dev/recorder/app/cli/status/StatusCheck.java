package dev.recorder.app.cli.status;

import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.logging.Plurals;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.diagnosis.Notes;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The output of {@code status --check}, in the form of Nagios plugins. Pure. */
public final class StatusCheck {
  static final int FINE = 0;
  static final int WARNING = 1;
  static final int CRITICAL = 2;
  public static final int UNKNOWN = 3;

  private StatusCheck() {}

  /** Returns the exit code for the gravest note. Notices do not count. */
  static int exitCode(List<Note> notes) {
    Severity worst = Notes.worst(notes).orElse(Severity.NOTICE);
    return switch (worst) {
      case NOTICE -> FINE;
      case WARNING -> WARNING;
      case CRITICAL -> CRITICAL;
    };
  }

  /**
   * Returns the output. The first line has the gravest note and the performance data, the other
   * lines have one further note each.
   */
  static List<String> lines(Diagnosis site) {
    Facts facts = site.facts();
    List<Note> told = site.notes().stream().filter(n -> n.severity() != Severity.NOTICE).toList();
    String verdict =
        told.isEmpty()
            ? "RECORDER OK - %s, %s alive"
                .formatted(
                    Plurals.of(facts.recorders().size(), "recorder", "recorders"),
                    Plurals.of(facts.living().size(), "host", "hosts"))
            : "RECORDER %s - %s%s"
                .formatted(
                    told.get(0).severity(),
                    plain(told.get(0).inFull()),
                    told.size() == 1 ? "" : "; and " + (told.size() - 1) + " more");
    List<String> lines = new ArrayList<>();
    lines.add(verdict + " | " + performance(facts));
    told.stream()
        .skip(1)
        .map(note -> note.severity() + " - " + plain(note.inFull()))
        .forEach(lines::add);
    return lines;
  }

  static String unreachable(String why) {
    return "RECORDER CRITICAL - " + plain(why);
  }

  static String unknown(String why) {
    return "RECORDER UNKNOWN - " + plain(why);
  }

  private static String performance(Facts facts) {
    List<String> data = new ArrayList<>();
    long alive = facts.hosts().stream().filter(HostFacts::isAlive).count();
    data.add("hosts_alive=" + alive + ";;;0");
    for (RecorderFacts recorder : facts.recorders()) {
      String name = recorder.name();
      Backlog backlog = recorder.status().backlog();
      if (backlog != null) {
        Instant oldest = recorder.oldestWaiting();
        long age = oldest == null ? 0 : facts.ago(oldest).toSeconds();
        data.add("%s_waiting=%d;;;0".formatted(name, backlog.rows()));
        data.add("%s_oldest=%ds;;;0".formatted(name, age));
      }
      if (recorder.isLog()) {
        data.add("%s_slot=%dc".formatted(name, recorder.status().lastSlot()));
      }
    }
    return String.join(" ", data);
  }

  /** Puts the text on one line, without the character that begins the performance data. */
  private static String plain(String text) {
    return EscapedText.of(text).replace('|', '/').replace('\n', ' ');
  }
}
