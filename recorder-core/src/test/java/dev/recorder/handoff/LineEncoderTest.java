package dev.recorder.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineEncoderTest {
  private static final long NOON = 1_763_726_400_000_000L; // 2025-11-21T12:00:00Z

  @Test
  void aLineHasTheFormOfTheContract() {
    assertThat(line(new HandoffRow(7, 735, NOON + 42, "k", "{\"a\": 1}")))
        .isEqualTo(
            "{\"id\":7,\"xid\":735,\"time\":\"2025-11-21T12:00:00.000042Z\",\"key\":\"k\","
                + "\"payload\":{\"a\": 1}}\n");
  }

  @Test
  void aMissingKeyIsNull() {
    assertThat(line(new HandoffRow(1, 3, NOON, null, "1"))).contains("\"key\":null,");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "quote\"",
        "back\\slash",
        "tab\tbell\u0007",
        "grüße 🙂",
        "\u2028",
        "line\nfeed"
      })
  void anyKeySurvives(String key) throws Exception {
    String line = line(new HandoffRow(1, 3, NOON, key, "1"));

    JsonNode read = new ObjectMapper().readTree(line);
    assertThat(read.get("key").textValue()).isEqualTo(key);
    assertThat(line.indexOf('\n')).isEqualTo(line.length() - 1);
  }

  /**
   * Keys that need no escape are copied, others are not: both must give what a JSON writer does.
   */
  @Test
  void anyKeyIsWrittenAsAJsonWriterWould() throws Exception {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder key = new StringBuilder();
      for (int length = random.nextInt(6); length > 0; length--) {
        int character = random.nextInt(i % 2 == 0 ? 0x80 : 0x11_0000);
        key.appendCodePoint(character >= 0xD800 && character < 0xE000 ? ' ' : character);
      }
      assertThat(line(new HandoffRow(1, 3, NOON, key.toString(), "1")))
          .contains(",\"key\":" + new ObjectMapper().writeValueAsString(key.toString()) + ",");
    }
  }

  @Test
  void lineBreaksBetweenTokensOfThePayloadBecomeSpacesAndNothingElseChanges() {
    assertThat(line(new HandoffRow(1, 3, NOON, null, "{\r\n \"a\" :\n1.50, \"b\": \"\\n\"}")))
        .endsWith("\"payload\":{   \"a\" : 1.50, \"b\": \"\\n\"}}\n");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1970-01-01T00:00:00.000000Z",
    "-1, 1969-12-31T23:59:59.999999Z",
    "999999, 1970-01-01T00:00:00.999999Z",
    "1000000, 1970-01-01T00:00:01.000000Z",
  })
  void timesAreInUtcWithSixDecimals(long micros, String time) {
    assertThat(line(new HandoffRow(1, 3, micros, null, "1"))).contains("\"time\":\"" + time + "\"");
  }

  @Test
  void anEncoderGivesTheSameLineWhateverItEncodedBefore() {
    LineEncoder used = new LineEncoder();
    used.encode(new HandoffRow(1, 3, NOON, "long key", "{\"long\": \"payload\"}"));

    HandoffRow row = new HandoffRow(2, 4, NOON + 1_000_000, "k", "1");
    assertThat(used.encode(row)).isEqualTo(new LineEncoder().encode(row));
  }

  @Test
  void theLocaleMakesNoDifference() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(line(new HandoffRow(12, 34, NOON, null, "1")))
          .startsWith("{\"id\":12,\"xid\":34,\"time\":\"2025-11-21T12:00:00.000000Z\"");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void aRecordedLineNamesItsRowAndIsToldFromAnotherByItsBytes() {
    byte[] line = new LineEncoder().encode(new HandoffRow(7, 735, NOON, "k", "1"));

    RecordedLine recorded = RecordedLine.parse(line, 0, line.length);

    assertThat(recorded.id()).isEqualTo(7);
    assertThat(recorded.xid()).isEqualTo(735);
    assertThat(recorded.is(line)).isTrue();
    assertThat(recorded.is(new LineEncoder().encode(new HandoffRow(7, 735, NOON, "k", "2"))))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "{}\n", "{\"id\":x,\"xid\":1,\n", "{\"xid\":1,\"id\":1,\n"})
  void whatIsNoLineOfOursIsRefused(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> RecordedLine.parse(bytes, 0, bytes.length))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String line(HandoffRow row) {
    return new String(new LineEncoder().encode(row), StandardCharsets.UTF_8);
  }
}
