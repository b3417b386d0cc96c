package dev.recorder.app.cli.log;

import dev.recorder.app.cli.Run;
import dev.recorder.app.config.TestIni;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code cat} refuses before it looks for a server. */
class CatCommandTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "yesterday",
        "2026-01-02",
        "2026-01-02T03:04:05",
        "2026-01-02 03:04:05",
        "2026-13-02T03:04:05Z",
        "xid:",
        "0",
        "-5"
      })
  void aTimeHasItsZone(String time) {
    cat("--since", time).exits(2).says("'" + time + "' is not a time with its zone", "+01:00");
    cat("--until", time).exits(2).says("'" + time + "' is no moment", "2026-01-02T03:04:05Z");
  }

  @Test
  void aSpanOfTimeEndsAfterItsBeginning() {
    String noon = "2026-01-02T12:00:00Z";

    cat("--since", noon, "--until", "2026-01-02T13:00:00+01:00")
        .exits(2)
        .saysOnly("recorder: --since " + noon + " is not before --until " + noon + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "17:0", "17:", "first", "17:204:3"})
  void aPositionIsASlotAndARow(String position) {
    cat("--from", position).exits(2).says("'" + position + "' is not a position", "such as 17:204");
  }

  private Run cat(String... options) {
    return Run.command(TestIni.minimal(folder).write(), Run.words("cat orders", options));
  }
}
