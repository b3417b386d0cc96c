package dev.recorder.app.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

  @Test
  void readsMinutesAndSeed() {
    assertThat(Options.parse("soak", List.of("--seed", "-7", "--minutes", "60"), 1))
        .isEqualTo(new Options(Duration.ofHours(1), -7));
  }

  @Test
  void runsFiveMinutesWithTheSeedItIsGivenOtherwise() {
    assertThat(Options.parse("soak", List.of(), 9))
        .isEqualTo(new Options(Duration.ofMinutes(5), 9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--minutes", "--minutes 0", "--minutes 1.5", "--seed x", "--hours 1"})
  void refusesAnythingElse(String line) {
    assertThatThrownBy(() -> Options.parse("soak", List.of(line.split(" ")), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("usage: soak");
  }
}
