package dev.recorder.app.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.output.TerminalLine;
import dev.recorder.capture.postgres.snapshot.SnapshotState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CaptureSnapshotCommandTest {
  private static final String ERASE = "\r\u001b[K";

  private final StringWriter terminal = new StringWriter();
  private long nanos = -5;
  private final TerminalLine line = new TerminalLine(new PrintWriter(terminal), () -> nanos);

  @Test
  void aSnapshotThatGoesOnIsNoFasterForWhatAnEarlierOneDid() {
    SnapshotState.SnapshotProgress snapshot = CaptureSnapshotCommand.onto(line);
    snapshot.at(1_000_000, 50);
    pass(Duration.ofSeconds(1));

    snapshot.at(1_005_000, 51);

    assertThat(terminal).hasToString(ERASE + "1,005,000 rows, 51 %; 5,000 rows/s");
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
