package dev.recorder.app.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TerminalLineTest {
  private static final String ERASE = "\r\u001b[K";

  private final StringWriter terminal = new StringWriter();
  private long nanos = -5;
  private final TerminalLine line = new TerminalLine(new PrintWriter(terminal), () -> nanos);

  @Test
  void isNotWrittenMoreOftenThanSomebodyReads() {
    for (int i = 0; i < 1_000; i++) {
      line.show(i, () -> "on");
      pass(Duration.ofMillis(1));
    }

    assertThat(terminal.toString().split("on", -1)).hasSize(5);
  }

  @Test
  void nothingOfItIsLeftAndItMayBeShownAgain() {
    pass(Duration.ofSeconds(1));
    line.show(1, () -> "on");
    line.erase();
    line.erase();

    assertThat(terminal).hasToString(ERASE + "on; 1 rows/s" + ERASE);

    pass(Duration.ofSeconds(1));
    line.show(2, () -> "on");

    assertThat(terminal.toString()).endsWith(ERASE + "on; 1 rows/s");
  }

  @Test
  void nothingIsWrittenOfWhatIsDoneAtOnce() {
    line.show(1, () -> "on");
    line.erase();

    assertThat(terminal.toString()).isEmpty();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
