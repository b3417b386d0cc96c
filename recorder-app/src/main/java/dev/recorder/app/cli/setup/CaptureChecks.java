package dev.recorder.app.cli.setup;

import dev.recorder.app.cli.capture.CaptureTarget;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.Captures;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Checks that the tables listed in the file are captured. Only warns, since hosts run without these
 * captures.
 */
final class CaptureChecks {
  private final RecorderConfig config;

  CaptureChecks(RecorderConfig config) {
    this.config = config;
  }

  List<Check> run() {
    List<RecorderSection> listing =
        config.recorders().stream().filter(r -> !r.captures().isEmpty()).toList();
    if (listing.isEmpty()) {
      return List.of();
    }
    try (Captures captures = CaptureTarget.open(config)) {
      return listing.stream().map(recorder -> check(captures, recorder)).toList();
    }
  }

  private static Check check(Captures captures, RecorderSection recorder) {
    String name = "captures of " + recorder.name();
    return DatabaseChecks.check(
        name,
        () -> {
          List<TableName> unmet = captures.unmet(ConfiguredMachine.captures(recorder));
          return Check.passed(
              name,
              unmet.isEmpty()
                  ? "all tables of this file, as it says"
                  : "warning: not captured as this file says: %s; a host tries it, or an administrator runs the output of 'recorder schema --online'"
                      .formatted(
                          unmet.stream()
                              .map(TableName::toString)
                              .collect(Collectors.joining(", "))));
        });
  }
}
