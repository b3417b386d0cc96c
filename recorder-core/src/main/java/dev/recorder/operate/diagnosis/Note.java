package dev.recorder.operate.diagnosis;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Something that is not as it should be, in one sentence.
 *
 * @param recorder its name; empty if it concerns no single one
 * @param host the machine's name; empty if it concerns no single one
 */
public record Note(
    Severity severity, NoteKind kind, String recorder, String host, String sentence) {

  /** How soon somebody should look; the gravest last. */
  public enum Severity {
    /** Worth knowing; nothing has to be done. */
    NOTICE,
    /** Should be put in order in working hours. */
    WARNING,
    /** Rows wait, or are about to; or a log has faults. */
    CRITICAL
  }

  /** What it is about. */
  public enum NoteKind {
    NOBODY_RECORDS,
    NOBODY_PROCESSES,
    STUCK,
    HELD_UP,
    REFUSED,
    NOT_ABLE,
    FEW_ABLE,
    OLD_ROWS,
    PAUSED,
    TWO_PRIMARIES,
    FILES_DIFFER,
    VERSIONS_DIFFER,
    SILENT,
    GONE,
    READ_ONLY,
    MOVING,
    CLEARING_WAITS,
    TABLE_LATE,
    CHANGES_LOST,
    XMIN_HELD,
    VERIFY_FAILED,
    VERIFY_LATE;

    /** Where the documents say what to do. */
    public String place() {
      return "runbook.md#note-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Whether it is of this recorder, or of what all have in common. */
  boolean concerns(String name) {
    if (kind == NoteKind.FILES_DIFFER && OF_RECORDERS.matcher(sentence).find()) {
      return Pattern.compile(":" + Pattern.quote(name) + "[/\\]]").matcher(sentence).find();
    }
    return recorder.isEmpty() || recorder.equals(name);
  }

  /** Sections of a file that are of one recorder. */
  private static final Pattern OF_RECORDERS = Pattern.compile("\\[(recorder|capture):");

  /** The same, and where to read what to do. */
  public String withPlace() {
    return inFull() + " [" + kind.place() + "]";
  }

  /** The sentence with what it concerns in front. */
  public String inFull() {
    String of = recorder.isEmpty() ? host : host.isEmpty() ? recorder : recorder + " on " + host;
    return of.isEmpty() ? sentence : of + ": " + sentence;
  }
}
