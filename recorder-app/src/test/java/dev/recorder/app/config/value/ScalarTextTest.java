package dev.recorder.app.config.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScalarTextTest {
  @ParameterizedTest
  @CsvSource({"500ms, PT0.5S", "2s, PT2S", "1m, PT1M", "24h, P1D", "7d, P7D", "0ms, PT0S"})
  void durationsHaveAUnit(String text, Duration duration) {
    assertThat(DurationText.parse(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "1.5s", "-1s", "1 s", "1S", "1h30m", "1234567890s"})
  void anythingElseIsNoDuration(String text) {
    assertThatThrownBy(() -> DurationText.parse(text)).hasMessage("not a duration");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "1500ms", "2s", "90s", "1m", "23h", "1d", "3650d"})
  void durationsAreWrittenAsTheyAreRead(String text) {
    assertThat(DurationText.format(DurationText.parse(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"8MiB, 8388608", "16KiB, 16384", "1GiB, 1073741824", "1000, 1000", "0, 0"})
  void sizesAreBinaryOrBytes(String text, long bytes) {
    assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
    assertThat(ByteSize.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "8MB", "8M", "8 MiB", "-1", "1.5MiB", "8mib", "1234567890"})
  void anythingElseIsNoSize(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text)).hasMessage("not a size");
  }

  @Test
  void aSecretDoesNotShowItself() {
    assertThat(new Secret("hunter2")).hasToString("***").isEqualTo(new Secret("hunter2"));
    assertThat(new Secret("hunter2")).isNotEqualTo(new Secret("hunter3"));
    assertThat(new Secret("hunter2").reveal()).isEqualTo("hunter2");
  }
}
