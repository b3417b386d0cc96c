package dev.recorder.operate.diagnosis;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A problem, in one sentence.
 *
 * @param recorder its name; empty if the note does not concern a single recorder
 * @param host its name; empty if the note does not concern a single host
 */
public record Note(
    Severity severity, NoteKind kind, String recorder, String host, String sentence) {

  /** How soon an operator should look; the gravest last. */
  public enum Severity {
    /** Worth knowing, but needs no action. */
    NOTICE,
    /** Should be fixed in working hours. */
    WARNING,
    /** Rows wait, or soon will; or a log has faults. */
    CRITICAL
  }

  /** The subject of a note. */
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

    /** The place in the documents with the remedy. */
    public String place() {
      return "runbook.md#note-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Whether the note concerns this recorder, or the site as a whole. */
  boolean concerns(String name) {
    if (kind == NoteKind.FILES_DIFFER && OF_RECORDERS.matcher(sentence).find()) {
      return Pattern.compile(":" + Pattern.quote(name) + "[/\\]]").matcher(sentence).find();
    }
    return recorder.isEmpty() || recorder.equals(name);
  }

  /** Sections of a file that belong to one recorder. */
  private static final Pattern OF_RECORDERS = Pattern.compile("\\[(recorder|capture):");

  /** Returns the sentence, and where to read the remedy. */
  public String withPlace() {
    return inFull() + " [" + kind.place() + "]";
  }

  /** Returns the sentence, with the recorder or host before it. */
  public String inFull() {
    String of = recorder.isEmpty() ? host : host.isEmpty() ? recorder : recorder + " on " + host;
    return of.isEmpty() ? sentence : of + ": " + sentence;
  }
}
