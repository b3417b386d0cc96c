package dev.recorder.capture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowExpressionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "id",
        "a > 1 AND (b = ';' OR \"c)\" = '--')",
        "name = 'O''Hara'",
        "tags[1:2] = '{a}'::text[]",
        "a - -1 = 2 * (3 / 1)"
      })
  void letsThroughWhatIsOneExpression(String text) {
    assertThat(RowExpression.fault(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`  ` | is empty",
        "a) OR (b | has a ')' that was not opened",
        "(a | has a '(' that is not closed",
        "(a] | has a ']' that was not opened",
        "a; b | has a semicolon: one expression is wanted",
        "a = 'b | has a quote that is not closed",
        "a = \"b | has a quote that is not closed",
        "a -- b | has a comment",
        "a /* b | has a comment",
        "a = $$b$$ | has a '$': give texts in single quotes",
        "a = E'\\'' | has a backslash between quotes",
      })
  void saysWhatElseATextIs(String text, String fault) {
    assertThat(RowExpression.fault(text)).isEqualTo(fault);
  }
}
