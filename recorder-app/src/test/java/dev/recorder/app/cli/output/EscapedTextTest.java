package dev.recorder.app.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What others have put into names does not reach the terminal as it is. */
class EscapedTextTest {
  @Test
  void whatATerminalWouldObeyIsWrittenOut() {
    assertThat(EscapedText.of("\u001b[2Jred\u0007 \u009b1m \u007f"))
        .isEqualTo("\\u001b[2Jred\\u0007 \\u009b1m \\u007f");
    assertThat(EscapedText.of("a\nrecorder: all is well\r\t"))
        .isEqualTo("a\\nrecorder: all is well\\r\\t");
    assertThat(EscapedText.of("gnp.\u202eexe \u2028")).isEqualTo("gnp.\\u202eexe \\u2028");
    assertThat(EscapedText.of(new String(Character.toChars(0xe0001)))).isEqualTo("\\U000e0001");
  }

  @ParameterizedTest
  @CsvSource({"plain", "a b", "Grüße", "日本語", "😀", "back\\slash", "it''s"})
  void allElseIsAsItIs(String text) {
    assertThat(EscapedText.of(text)).isSameAs(text);
  }

  @Test
  void aMessageKeepsItsLines() {
    assertThat(EscapedText.lines("one\ntwo \u001b[1m")).isEqualTo("one\ntwo \\u001b[1m");
  }

  @Test
  void noCellOfATableHasMoreThanItsLine() {
    String table =
        new ListColumns<String>().text("NAME", name -> name).of(List.of("a\u001b[31m\nb", "c"));

    assertThat(table).isEqualTo("NAME\na\\u001b[31m\\nb\nc");
  }
}
