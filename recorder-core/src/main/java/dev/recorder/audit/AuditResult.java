package dev.recorder.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * What a verification found.
 *
 * @param slots objects read
 * @param rows lines in them
 * @param compared rows that were compared with the hand-off; the others are no longer kept there
 * @param lost rows the log covers and no object holds
 * @param duplicated lines too many: a row for the second time, a line that is no row of its slot's
 *     window, or one that differs from the row that it names
 * @param gaps objects missing, and windows that do not follow one another
 * @param outOfOrder lines that stand where another transaction order would put them
 * @param hashMismatches objects that are not what the database says was written
 * @param findings the first faults, one sentence each
 * @param moreFindings how many faults are not among {@code findings}
 * @param notes what is worth saying and no fault
 */
public record AuditResult(
    String recorder,
    long slots,
    long rows,
    long compared,
    long lost,
    long duplicated,
    long gaps,
    long outOfOrder,
    long hashMismatches,
    List<String> findings,
    long moreFindings,
    List<String> notes) {

  public AuditResult {
    findings = List.copyOf(findings);
    notes = List.copyOf(notes);
  }

  /** Whether nothing is wrong. */
  public boolean ok() {
    return lost == 0
        && duplicated == 0
        && gaps == 0
        && outOfOrder == 0
        && hashMismatches == 0
        && findings.isEmpty()
        && moreFindings == 0;
  }

  /** The same, and what was found beside the log. */
  public AuditResult and(List<String> others, long moreOthers, String note) {
    List<String> all = new ArrayList<>(findings);
    all.addAll(others);
    List<String> allNotes = new ArrayList<>(notes);
    allNotes.add(note);
    return new AuditResult(
        recorder,
        slots,
        rows,
        compared,
        lost,
        duplicated,
        gaps,
        outOfOrder,
        hashMismatches,
        all,
        moreFindings + moreOthers,
        allNotes);
  }
}
