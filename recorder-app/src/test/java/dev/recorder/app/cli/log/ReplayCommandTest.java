package dev.recorder.app.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.output.TerminalLine;
import dev.recorder.replay.Replay;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReplayCommandTest {
  private static final String ERASE = "\r\u001b[K";

  private final StringWriter terminal = new StringWriter();
  private long nanos = -5;
  private final TerminalLine line = new TerminalLine(new PrintWriter(terminal), () -> nanos);

  @Test
  void saysHowFarAReplayIsAndHowFastSinceItBegan() {
    Replay.ReplayProgress replay = ReplayCommand.onto(line);
    pass(Duration.ofSeconds(2));

    replay.read(1_234, 5_000_000);

    assertThat(terminal).hasToString(ERASE + "slot 1,234, 5,000,000 rows; 2,500,000 rows/s");
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
