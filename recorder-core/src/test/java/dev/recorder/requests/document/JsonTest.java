package dev.recorder.requests.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "-0.0",
        "1.10",
        "1e5",
        "1E+400",
        "1e-400",
        "0.1",
        "12345678901234567890.12345678901234567890",
        "9223372036854775808"
      })
  void numbersKeepTheirSpelling(String number) throws Exception {
    assertThat(written("{\"n\":[" + number + "]}")).isEqualTo("{\"n\":[" + number + "]}");
  }

  @Test
  void numbersNamesAndStringsMayBeLong() throws Exception {
    String number = "7".repeat(100_000);
    String name = "n".repeat(100_000);
    String string = "s".repeat(30_000_000);
    String json = "{\"" + name + "\":" + number + ",\"s\":\"" + string + "\"}";

    assertThat(written(json)).isEqualTo(json);
  }

  @Test
  void everyCharacterComesBack() throws Exception {
    assertThat(written("\"\\u0000\\u001f\\u00e9\\ud83d\\ude00😀\\/\\\"\\\\\\n\u007f\u2028\""))
        .isEqualTo("\"\\u0000\\u001F\u00e9😀😀/\\\"\\\\\\n\u007f\u2028\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\\ud83d\"", "\"\\ude00\"", "\"\\ude00\\ud83d\"", "[\"x\\ud83d\"]"})
  void halfACharacterIsRefused(String json) {
    assertThatThrownBy(() -> Json.parse(json))
        .isInstanceOf(BadJsonException.class)
        .hasMessageContaining("half a character");
  }

  @Test
  void halfACharacterIsRefusedAsItIsReadToo() {
    assertThatThrownBy(() -> Json.parse("{\"\\ud83dx\":1}"))
        .isInstanceOf(BadJsonException.class)
        .hasMessageContaining("surrogate");
  }

  @Test
  void nestingIsBoundedInTreesAndInChecks() throws Exception {
    String deepest = "[".repeat(Json.DEEPEST) + "]".repeat(Json.DEEPEST);
    String objects = "{\"a\":".repeat(Json.DEEPEST) + "1" + "}".repeat(Json.DEEPEST);

    assertThat(written(deepest)).isEqualTo(deepest);
    assertThat(written(objects)).isEqualTo(objects);
    assertThatThrownBy(() -> Json.parse("[" + deepest + "]"))
        .isInstanceOf(BadJsonException.class)
        .hasMessageContaining("1000");
    assertThatThrownBy(() -> Json.parse("[".repeat(1_000_000)))
        .isInstanceOf(BadJsonException.class);
    Json.check(deepest);
    assertThat(Json.text(Json.outline(deepest))).isEqualTo(deepest);
    assertACheckRefuses("[" + deepest + "]");
  }

  @Test
  void ofMembersWithOneNameTheLastCounts() throws Exception {
    assertThat(written("{\"a\":{\"x\":1},\"a\":{\"y\":2}}")).isEqualTo("{\"a\":{\"y\":2}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "{}{}", "{} x", "NaN", "01", "[1,]", "{a:1}", "'a'", "+1"})
  void whatIsNoJsonIsRefused(String text) {
    assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(BadJsonException.class);
    assertACheckRefuses(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\\ud83d\"",
        "\"\\uDE00\"",
        "[\"x\\ud83d\"]",
        "{\"a\":[{\"b\":\"\\ude00\"}]}",
        "{\"\\ud83dx\":1}",
        "{\"a\":[{\"\\ud83dx\":1}]}"
      })
  void aCheckRefusesHalfACharacterWhereverItIs(String json) {
    assertACheckRefuses(json);
  }

  private static void assertACheckRefuses(String text) {
    assertThatThrownBy(() -> Json.check(text)).isInstanceOf(BadJsonException.class);
    assertThatThrownBy(() -> Json.outline(text)).isInstanceOf(BadJsonException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " [ 1 , \"a\" ] ",
        "{\"a\" : [ {\"x\": 1, \"x\": [ ]} , \"]\" ] ,\"b\":{}}",
        "{\"s\":\"\\\"\\\\\",\"t\":\"\\\\\\\"}\",\"n\":-1.50e+3 }",
        "\"\\ud83d\\ude00 \\u00e9\"",
        "{\"a\":null,\"b\":true , \"c\": false}",
        "-0.0 ",
        "null"
      })
  void anOutlineSaysWhatTheTextSays(String json) throws Exception {
    assertThat(Json.parse(Json.text(Json.outline(json)))).isEqualTo(Json.parse(json));
  }

  @Test
  void whatIsNotAnObjectStaysAsItIsSpelledInAnOutline() throws Exception {
    String json = "{\"a\":[ 1, {\"b\" :2} ],\"s\":\"\\u00e9\\/\"}";

    assertThat(Json.text(Json.outline(json))).isEqualTo(json);
  }

  private static String written(String json) throws Exception {
    return Json.text(Json.parse(json));
  }
}
