package dev.recorder.app.config.ini;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IniValueTest {
  private static final String ALPHABET = "ab0;#$,'=:\"\\{}[]% \t\u00e9\u20ac";

  @ParameterizedTest
  @ValueSource(
      strings = {"plain", "a;b", "a#b", "a=b:c", "a\\b", "a\"b", "${env:HOME}", "a,b", "x\\"})
  void aPlainValueIsTheRestOfTheLine(String value) throws Exception {
    assertThat(IniValue.parse("  " + value + " \t")).isEqualTo(value);
  }

  // Columns: what stands in the file, what it means.
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "\"a ;b #c\"  | a ;b #c",
        "\"a\\b\"     | a\\b",
        "\"a\\\\b\"   | a\\\\b",
        "\"a\\\"b\"   | a\"b",
        "\"a\\\\\\\"b\" | a\\\"b",
        "\"a\\\\\"    | a\\",
        "\"it's\"     | it's",
        "'it\\'s'     | it's",
        "'a\"b'       | a\"b",
        "\"${env:HOME}\" | ${env:HOME}",
        "\"\"         | ``",
        "\" \"        | ` `",
      })
  void inQuotesOnlyABackslashBeforeTheQuoteIsSpecial(String written, String meant)
      throws Exception {
    assertThat(IniValue.parse(written)).isEqualTo(meant);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a\" b", "\"a\"b", "\"a\" ; comment", "\"a\\\\\"b\"", "'a' 'b'"})
  void textAfterTheClosingQuoteIsAnError(String written) {
    assertThatThrownBy(() -> IniValue.parse(written)).hasMessage("text after the closing quote");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"", "'", "\"a", "\"a\\\"", "'a\""})
  void anOpenQuoteIsAnError(String written) {
    assertThatThrownBy(() -> IniValue.parse(written)).hasMessage("the quote is not closed");
  }

  @ParameterizedTest
  @ValueSource(strings = {" 1s ; comment", " a #b", " ;a", " a\t;b"})
  void whatMayBeACommentBehindAPlainValueIsNeitherCutNorKept(String raw) {
    assertThatThrownBy(() -> IniValue.parse(raw))
        .hasMessage("a ; or # after a blank in a value without quotes");
  }

  @Test
  void anyPasswordSurvivesBeingWrittenAndRead() throws Exception {
    Random random = new Random(20_261_120);
    for (int i = 0; i < 1_000; i++) {
      String password = password(random);
      assertThat(IniValue.parse(" " + IniValue.format(password))).isEqualTo(password);
    }
  }

  @Test
  void quotesAreWrittenOnlyWhereTheyAreNeeded() {
    assertThat(IniValue.format("a;b\\c\"d")).isEqualTo("a;b\\c\"d");
    assertThat(IniValue.format("a ;b\\")).isEqualTo("\"a ;b\\\\\"");
    assertThat(IniValue.format("")).isEqualTo("\"\"");
  }

  private static String password(Random random) {
    StringBuilder password = new StringBuilder();
    int length = random.nextInt(24);
    for (int i = 0; i < length; i++) {
      password.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return password.toString();
  }
}
