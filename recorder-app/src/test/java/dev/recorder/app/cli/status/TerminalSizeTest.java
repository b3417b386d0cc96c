package dev.recorder.app.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalSizeTest {
  @Test
  void aTerminalAndTheEnvironmentSayHowLargeItIs() {
    assertThat(TerminalSize.parse("24 80\n")).contains(new TerminalSize(80, 24));
    assertThat(TerminalSize.of(Map.of("COLUMNS", "132", "LINES", "50")))
        .contains(new TerminalSize(132, 50));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0 0", "24", "24 x", "-1 80", "24 99999999999", "24 80 3"})
  void whatSaysNothingLimitsNothing(String text) {
    assertThat(TerminalSize.parse(text)).isEmpty();
    assertThat(TerminalSize.of(Map.of("COLUMNS", "80"))).isEmpty();
  }
}
