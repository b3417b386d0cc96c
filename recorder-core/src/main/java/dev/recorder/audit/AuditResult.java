package dev.recorder.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of a verification.
 *
 * @param slots number of objects read
 * @param rows number of lines in them
 * @param compared number of rows that were compared with the hand-off table; other rows are not
 *     kept there any more
 * @param lost number of rows that the log covers and no object holds
 * @param duplicated number of surplus lines: a second line of a row, a line that is no row of its
 *     slot's window, or a line that differs from the row it names
 * @param gaps number of missing objects, and of windows that do not follow one another
 * @param outOfOrder number of lines in the wrong place of the transaction order
 * @param hashMismatches number of objects that differ from those written according to the database
 * @param findings the first faults, one sentence each
 * @param moreFindings number of further faults that {@code findings} lacks
 * @param notes observations that are no faults
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

  /** Whether no fault was found. */
  public boolean ok() {
    return lost == 0
        && duplicated == 0
        && gaps == 0
        && outOfOrder == 0
        && hashMismatches == 0
        && findings.isEmpty()
        && moreFindings == 0;
  }

  /** Returns the same result with findings from outside of the log. */
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
