package dev.recorder.audit.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.audit.LogInMemory;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.LineFields;
import dev.recorder.handoff.RowKey;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row and its line give the same print, and nothing else does. */
class RowPrintsTest {
  private static final long TIME = 1_700_000_000_123_456L;

  private final RowPrints prints = new RowPrints();
  private final LineFields fields = new LineFields();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "a \"quoted\" \\ key / and",
        "\t\n\r\b\f",
        "\u0001\u001f\u007f",
        "schön",
        "鍵",
        "🔑",
        "{\"id\":1,\"xid\":2,",
        "null",
        "\\u0041",
        "ends with \\"
      })
  void aKeyIsTheSameOnBothSides(String key) {
    assertSame(new HandoffRow(7, 742, TIME, key, "{}"));
  }

  @Test
  void aMissingKeyIsTheSameOnBothSidesAndNoEmptyOne() {
    HandoffRow without = new HandoffRow(7, 742, TIME, null, "{}");
    assertSame(without);
    assertThat(ofRow(without).mark())
        .isNotEqualTo(ofRow(new HandoffRow(7, 742, TIME, "", "{}")).mark());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "null",
        "\"}\"",
        "{\"a\":\n1,\r\n\"b\": \"\\n\"}",
        " [1, 2]\n",
        "\"🔑 schön\""
      })
  void aPayloadIsTheSameOnBothSides(String payload) {
    assertSame(new HandoffRow(7, 742, TIME, "k", payload));
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        -1,
        TIME,
        253_402_300_799_999_999L,
        253_402_300_800_000_000L,
        -62_167_219_200_000_001L
      })
  void aTimeIsTheSameOnBothSides(long micros) {
    assertSame(new HandoffRow(7, 742, micros, "k", "{}"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 0, -5, Long.MAX_VALUE, Long.MIN_VALUE})
  void anIdIsTheSameOnBothSides(long id) {
    assertSame(new HandoffRow(id, 742, TIME, "k", "{}"));
  }

  @Test
  void secondsAreNotMixedUp() {
    for (long second = 0; second < 5; second++) {
      assertSame(new HandoffRow(7, 742, TIME + second * 700_000, "k", "{}"));
    }
  }

  @Test
  void everyByteOfALineCounts() {
    byte[] line = new LineEncoder().encode(new HandoffRow(7, 742, TIME, "key", "{\"a\": 1}"));
    RowPrint honest = ofLine(line);
    for (int i = 0; i < line.length - 1; i++) {
      byte[] changed = line.clone();
      changed[i] ^= 1;
      try {
        assertThat(ofLine(changed)).as("byte %d", i).isNotEqualTo(honest);
      } catch (IllegalArgumentException namesNoRow) {
        assertThat(i).isLessThan(20);
      }
    }
  }

  @Test
  void aKeyCannotGoOnAsThePayload() {
    assertThat(ofRow(new HandoffRow(7, 742, TIME, "a1", "2")).mark())
        .isNotEqualTo(ofRow(new HandoffRow(7, 742, TIME, "a", "12")).mark());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"id\":1,\"xid\":3,\n", "{\"id\":1,\"xid\":3,\"time\":\"never\"}\n"})
  void aLineThatOnlyNamesItsRowHasNoTimeToExcuseIt(String line) {
    RowPrint print = ofLine(line.getBytes(StandardCharsets.UTF_8));

    assertThat(print.key()).isEqualTo(new RowKey(3, 1));
    assertThat(print.timeMicros()).isEqualTo(RowPrint.NO_TIME);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "{}\n",
        "{\"xid\":1,\"id\":2,",
        "x{\"id\":1,\"xid\":3,",
        "{\"id\":1,\"xid\":3}\n",
        "{\"id\":,\"xid\":3,\n",
        "{\"id\":99999999999999999999,\"xid\":3,\n"
      })
  void aLineThatNamesNoRowIsRefused(String line) {
    assertThatThrownBy(() -> ofLine(line.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void assertSame(HandoffRow row) {
    assertThat(ofRow(row)).isEqualTo(ofLine(new LineEncoder().encode(row)));
  }

  private RowPrint ofLine(byte[] line) {
    fields.read(line, 0, line.length);
    return prints.of(fields);
  }

  private RowPrint ofRow(HandoffRow row) {
    return prints.of(LogInMemory.kept(row, 0));
  }
}
