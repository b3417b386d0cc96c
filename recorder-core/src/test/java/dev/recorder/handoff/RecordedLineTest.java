package dev.recorder.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordedLineTest {
  @Test
  void findsTheRowThatALineNames() {
    HandoffRow row = new HandoffRow(7, 745, 0, "{\"id\":8,\"xid\":9,", "{\"id\":1}");
    byte[] encoded = new LineEncoder().encode(row);

    RecordedLine line = RecordedLine.parse(encoded, 0, encoded.length);

    assertThat(line.id()).isEqualTo(7);
    assertThat(line.xid()).isEqualTo(745);
    assertThat(line.is(encoded)).isTrue();
  }

  @Test
  void readsOneLineOutOfMany() {
    byte[] lines =
        "{\"id\":1,\"xid\":3,…\n{\"id\":2,\"xid\":4,…\n".getBytes(StandardCharsets.UTF_8);
    int second = lines.length / 2;

    RecordedLine line = RecordedLine.parse(lines, second, lines.length);

    assertThat(line.id()).isEqualTo(2);
    assertThat(line.bytes()).hasSize(second);
  }

  @Test
  void isNotALineThatDiffersInOneByte() {
    byte[] line = "{\"id\":1,\"xid\":3,\"a\"}\n".getBytes(StandardCharsets.UTF_8);
    byte[] other = "{\"id\":1,\"xid\":3,\"b\"}\n".getBytes(StandardCharsets.UTF_8);

    assertThat(RecordedLine.parse(line, 0, line.length).is(other)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "{}\n", "{\"xid\":1,\"id\":2,", "x{\"id\":1,\"xid\":3,"})
  void refusesALineThatNamesNoRow(String text) {
    byte[] line = text.getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> RecordedLine.parse(line, 0, line.length))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
