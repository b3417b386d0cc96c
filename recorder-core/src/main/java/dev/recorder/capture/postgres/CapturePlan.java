package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.postgres.catalog.Capture;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What of the captures that a file lists is there already. A capture that was set up for a table is
 * that table's under whatever name it has now. Pure.
 *
 * @param missing those that there are not, or whose triggers are gone with their table
 * @param different those that were set up with other options, or for another table that had the
 *     name, such as that of a database that was dumped: which columns are to be left out is then
 *     for somebody to say
 * @param same those that are as they should be
 */
record CapturePlan(List<CaptureRule> missing, List<CaptureRule> different, List<Capture> same) {

  /** From what is wanted and what there is. */
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

  /** What is missing or different, as a finding. */
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
