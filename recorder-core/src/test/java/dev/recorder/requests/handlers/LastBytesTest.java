package dev.recorder.requests.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LastBytesTest {
  @Test
  void theEndOfManyPiecesIsKept() {
    LastBytes last = new LastBytes(5);
    assertThat(last.text()).isEmpty();

    add(last, "ab");
    assertThat(last.text()).isEqualTo("ab");
    add(last, "cde");
    assertThat(last.text()).isEqualTo("abcde");
    add(last, "f");
    assertThat(last.text()).isEqualTo("bcdef");
    add(last, "");
    add(last, "0123456789");
    assertThat(last.text()).isEqualTo("56789");
  }

  @Test
  void onlyTheGivenCountOfAPieceBelongsToIt() {
    LastBytes last = new LastBytes(5);

    last.add("abcXXX".getBytes(StandardCharsets.UTF_8), 3);

    assertThat(last.text()).isEqualTo("abc");
  }

  @Test
  void aCharacterThatWasCutIsLeftOut() {
    LastBytes last = new LastBytes(5);

    add(last, "\u20AC\u20AC");

    assertThat(last.text()).isEqualTo("\u20AC");
  }

  @Test
  void whatIsNoUtf8AtTheBeginningOfAllIsShownAsSuch() {
    LastBytes last = new LastBytes(5);

    last.add(new byte[] {(byte) 0x80, 'a'}, 2);

    assertThat(last.text()).isEqualTo("\uFFFDa");
  }

  private static void add(LastBytes last, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    last.add(bytes, bytes.length);
  }
}
