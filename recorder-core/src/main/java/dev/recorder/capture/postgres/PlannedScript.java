package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.EntitySource;
import dev.recorder.capture.postgres.catalog.Capture;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.capture.script.CaptureTriggers;
import dev.recorder.capture.script.CaptureTriggers.Purpose;
import dev.recorder.capture.script.StaleMark;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** Makes the SQL, for psql, that sets up the captures of a file. */
final class PlannedScript {
  private final Captures captures;
  private final CaptureNames names;
  private final StringBuilder script = new StringBuilder();

  PlannedScript(Captures captures, CaptureNames names) {
    this.captures = captures;
    this.names = names;
  }

  /**
   * Returns the whole script.
   *
   * @param findings findings of {@link Captures#check()}, including unarmed partitions
   */
  String of(CapturePlan plan, List<CaptureFinding> findings)
      throws SQLException, RefusedCaptureException {
    for (Capture capture : plan.same()) {
      comment("as the file says, and is captured so already", capture.rule());
      arm(capture, findings);
    }
    for (CaptureRule rule : plan.missing()) {
      comment("as the file says", rule);
      script.append(captures.read(rule, true).text());
    }
    for (CaptureRule rule : plan.different()) {
      comment("as the file says, and otherwise, or another table, until now", rule);
      script.append(captures.read(rule, true).text());
    }
    return script.toString();
  }

  private void comment(String how, CaptureRule rule) {
    String table = rule.table().toString().replaceAll("\\p{Cntrl}", " ");
    script.append("\n-- Recorder %s captures %s, %s.\n".formatted(rule.recorder(), table, how));
  }

  private void arm(Capture capture, List<CaptureFinding> findings)
      throws SQLException, RefusedCaptureException {
    List<Long> unarmed = unarmed(capture.rule(), findings);
    if (unarmed.isEmpty()) {
      return;
    }
    Purpose purpose = capture.purpose();
    if (capture.rule().isOfDocuments()) {
      EntitySource source = captures.source(capture);
      source.grants().forEach(grant -> script.append(grant).append(";\n"));
      purpose = Purpose.ofEntities(source.looksUp());
    }
    String function = names.function(capture.rule());
    CaptureTriggers triggers = new CaptureTriggers(capture.rule().recorder(), function, purpose);
    for (Long partition : unarmed) {
      if (captures.isWritten(partition)) {
        String why = "partition %s was not captured when it was written to itself";
        String mark = StaleMark.set(names, capture.rule(), why.formatted(captures.name(partition)));
        script.append(mark).append(";\n");
      }
      script.append(triggers.script(captures.name(partition)));
    }
  }

  private static List<Long> unarmed(CaptureRule rule, List<CaptureFinding> findings) {
    return findings.stream()
        .filter(finding -> finding.recorder().equals(rule.recorder().value()))
        .filter(finding -> finding.table().equals(rule.table().logged()))
        .flatMap(finding -> Stream.ofNullable(finding.unarmed()))
        .toList();
  }
}
