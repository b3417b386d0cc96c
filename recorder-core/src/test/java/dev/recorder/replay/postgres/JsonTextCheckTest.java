package dev.recorder.replay.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextCheckTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "\"\\u0001\\n\\\"\\\\\"",
        "\"\\\\u0000\"",
        "\"\\ud83d\\ude00\"",
        "\"\\uD83D\\uDE00\\u0041\"",
        "\"😀\""
      })
  void escapesOfCharactersAreText(String json) {
    assertThat(isText(json)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\\u0000\"",
        "\"\\\\\\u0000\"",
        "{\"a\":\"\\ud83d\"}",
        "\"\\ud83d\\n\"",
        "\"\\ud83d\\ud83d\"",
        "\"\\ude00\"",
        "\"\\ud83d\\u0041\""
      })
  void noCharacterIsNoText(String json) {
    assertThat(isText(json)).isFalse();
  }

  private static boolean isText(String json) {
    byte[] padded = ("{{" + json + "}").getBytes(UTF_8);
    return JsonTextCheck.isText(ByteBuffer.wrap(padded, 2, padded.length - 3));
  }
}
