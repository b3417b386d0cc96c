package dev.recorder.sqltext;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.sqltext.SqlPiece.PieceKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTextCheckTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "a", "(a[1]) + ([b])", "'(' || \"]\"", "'--' || '/*'"})
  void whatEndsNothingButItselfHasNone(String text) {
    assertThat(SqlTextCheck.of(text, piece -> "")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a) | has a ')' that was not opened",
        "(a] | has a ']' that was not opened",
        "(a[1 | has a '[' that is not closed",
        "([a]) + (b | has a '(' that is not closed",
        "a = 'b) | has a quote that is not closed",
        "a -- 'b | has a comment",
        "a /* b | has a comment",
      })
  void whatEndsMoreThanItselfOrHidesWhatFollowsHasOne(String text, String fault) {
    assertThat(SqlTextCheck.of(text, piece -> "")).isEqualTo(fault);
  }

  @Test
  void theRuleIsAskedOfAllOtherPieces() {
    StringBuilder asked = new StringBuilder();

    SqlTextCheck.of(
        "(a)'b':c::d;$",
        piece -> {
          asked.append(piece.text()).append(' ');
          return "";
        });

    assertThat(asked).hasToString("( a ) 'b' :c :: d ; $ ");
  }

  @Test
  void theFirstFaultIsTold() {
    assertThat(SqlTextCheck.of("a $ )", SqlTextCheckTest::noDollars)).isEqualTo("has a dollar");
    assertThat(SqlTextCheck.of("a ) $", SqlTextCheckTest::noDollars)).startsWith("has a ')'");
    assertThat(SqlTextCheck.of("( $", SqlTextCheckTest::noDollars)).isEqualTo("has a dollar");
  }

  private static String noDollars(SqlPiece piece) {
    return piece.kind() == PieceKind.DOLLAR ? "has a dollar" : "";
  }
}
