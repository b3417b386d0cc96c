package dev.recorder.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReaderPositionTest {
  @Test
  void isWrittenAndReadAsSlotAndRow() {
    ReaderPosition position = new ReaderPosition(17, 204);

    assertThat(position).hasToString("17:204");
    assertThat(ReaderPosition.parse("17:204")).isEqualTo(position);
  }

  @Test
  void ofASlotAloneIsItsFirstRow() {
    assertThat(ReaderPosition.parse("17")).isEqualTo(new ReaderPosition(17, 1));
  }

  @Test
  void comesBySlotAndThenByRow() {
    assertThat(new ReaderPosition(2, 1)).isGreaterThan(new ReaderPosition(1, 900));
    assertThat(new ReaderPosition(2, 10)).isGreaterThan(new ReaderPosition(2, 9));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "0:1",
        "1:0",
        "-1",
        "1:",
        ":1",
        "1:2:3",
        "1 :2",
        "x",
        "1:x",
        "1:9999999999"
      })
  void isNothingElse(String text) {
    assertThatThrownBy(() -> ReaderPosition.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
