package dev.recorder.capture.script;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityExpressionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM b",
        "with x as (select 1) select * from x",
        "((SELECT a))",
        "(SELECT ')' FROM b) UNION ALL (SELECT c)",
        "((SELECT a) EXCEPT SELECT b)",
        "VALUES (a), (b)"
      })
  void aQueryStaysWhatItIs(String text) {
    assertThat(EntityExpression.query(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "order_id",
        "selected",
        "(a)",
        "(SELECT a FROM b) || '-'",
        "((SELECT a)::text)",
        "\"SELECT\" + 1",
        "unnest(ARRAY[a, b])"
      })
  void anExpressionIsSelected(String text) {
    assertThat(EntityExpression.query(text)).isEqualTo("SELECT " + text);
  }
}
