package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.postgres.catalog.Capture;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Compares the captures that a file lists with those in the database. A capture stays with its
 * table if the table is renamed. Pure.
 *
 * @param missing rules without a capture, or whose triggers are gone with their table
 * @param different rules whose capture was set up with other options, or for another table that had
 *     the name, for example before a dump and restore; an administrator then has to decide which
 *     columns are left out
 * @param same captures that are as the file wants them
 */
record CapturePlan(List<CaptureRule> missing, List<CaptureRule> different, List<Capture> same) {

  /** Compares wanted rules with existing captures. */
  static CapturePlan of(List<CaptureRule> wanted, List<Capture> there) {
    List<CaptureRule> missing = new ArrayList<>();
    List<CaptureRule> different = new ArrayList<>();
    List<Capture> same = new ArrayList<>();
    for (CaptureRule rule : wanted) {
      Optional<Capture> found = there.stream().filter(c -> isOf(rule, c)).findFirst();
      if (found.isEmpty()) {
        missing.add(rule);
      } else if (!found.get().rule().options().equals(rule.options())
          || (found.get().isNameTaken() && !rule.table().equals(found.get().table()))) {
        different.add(rule);
      } else {
        same.add(found.get());
      }
    }
    return new CapturePlan(missing, different, same);
  }

  /** Returns a finding for each rule that is missing or different. */
  List<CaptureFinding> findings() {
    return Stream.concat(
            missing.stream().map(rule -> finding(rule, true, "is not captured")),
            different.stream().map(rule -> finding(rule, false, "is captured otherwise")))
        .toList();
  }

  private static CaptureFinding finding(CaptureRule rule, boolean losesChanges, String what) {
    String text =
        "the file lists it, but it %s: let an administrator run the output of 'recorder schema --online'"
            .formatted(what);
    return new CaptureFinding(rule.recorder().value(), rule.table().logged(), losesChanges, text);
  }

  private static boolean isOf(CaptureRule rule, Capture capture) {
    boolean isLogged = capture.rule().table().equals(rule.table());
    boolean isThere =
        capture.table() == null
            ? isLogged && capture.relations().contains(rule.table())
            : isLogged || rule.table().equals(capture.table());
    return isThere && capture.rule().recorder().equals(rule.recorder());
  }
}
