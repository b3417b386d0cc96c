package dev.recorder.audit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Counts faults, and keeps the sentences of the first ones. */
public final class Tally {
  private static final int MOST_FINDINGS = 100;

  public long slots;
  public long rows;
  public long compared;
  private final List<String> findings = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private long found;
  private long lost;
  private long duplicated;
  private long gaps;
  private long outOfOrder;
  private long hashMismatches;

  public void lost(long count, String finding) {
    lost += count;
    find(finding);
  }

  void duplicated(String finding) {
    duplicated++;
    find(finding);
  }

  /** Counts lines that no row ever had. */
  void foreign(long count, String finding) {
    duplicated += count;
    find(finding);
  }

  void gap(String finding) {
    gaps++;
    find(finding);
  }

  void outOfOrder(String finding) {
    outOfOrder++;
    find(finding);
  }

  public void hashMismatch(String finding) {
    hashMismatches++;
    find(finding);
  }

  public void note(String note) {
    notes.add(note);
  }

  /** Whether a further finding would be kept. */
  boolean hasRoom() {
    return findings.size() < MOST_FINDINGS;
  }

  /** Returns a time as text for findings. */
  static String time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
  }

  public AuditResult verdict(String recorder) {
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
        findings,
        found - findings.size(),
        notes);
  }

  private void find(String finding) {
    found++;
    if (findings.size() < MOST_FINDINGS) {
      findings.add(finding);
    }
  }
}
