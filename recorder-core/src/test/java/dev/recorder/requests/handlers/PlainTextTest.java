package dev.recorder.requests.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainTextTest {
  private static final String SMILE = "\uD83D\uDE00";

  @Test
  void whatIsNoPrintableCharacterBecomesOneBlank() {
    assertThat(PlainText.head(" a\u0000b\r\n\tc\u001B[31md\u0085e\u2028f \u00A0 g\u007F ", 99))
        .isEqualTo("a b c [31md e f g");
  }

  @Test
  void whatTurnsTheDirectionOfTextIsTakenOut() {
    assertThat(PlainText.head("a\u202Eb\u2066c\uFEFFd", 99)).isEqualTo("a b c d");
  }

  @Test
  void halfACharacterIsTakenOutAndAWholeOneIsKept() {
    assertThat(PlainText.head("a" + SMILE + "\uD83Db\uDE00", 99)).isEqualTo("a" + SMILE + " b");
  }

  @Test
  void longTextIsCutWithoutCuttingACharacter() {
    String text = "ab" + SMILE + "cd";

    assertThat(PlainText.head(text, 6)).isEqualTo(text);
    assertThat(PlainText.head(text, 4)).isEqualTo("ab" + SMILE);
    assertThat(PlainText.head(text, 3)).isEqualTo("ab");
    assertThat(PlainText.tail(text, 6)).isEqualTo(text);
    assertThat(PlainText.tail(text, 4)).isEqualTo(SMILE + "cd");
    assertThat(PlainText.tail(text, 3)).isEqualTo("cd");
  }
}
