package dev.recorder.requests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 WHERE :entity = 'x'",
        " select a[1:2], b::text, ':no' FROM t WHERE c = :entity::int",
        "WITH x AS (SELECT :entity AS e) SELECT '{}', '?;--' FROM x",
        "SELECT f(a := :entity)",
        "SELECT '\\d', \"a;b\" FROM t WHERE id = :entity"
      })
  void queriesThatMayStandInOneOfOurs(String text) {
    assertThat(QueryText.fault(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "DELETE FROM t | is no query: it begins with neither SELECT nor WITH",
        "`` | is no query: it begins with neither SELECT nor WITH",
        "SELECT 1 | names no :entity, the id whose document it is to build",
        "SELECT ':entity' | names no :entity, the id whose document it is to build",
        "SELECT :entity; DROP TABLE t | has a semicolon: one query is wanted",
        "SELECT :entity) AS q, (SELECT 1 | has a ')' that was not opened",
        "SELECT (:entity | has a '(' that is not closed",
        "SELECT :entity -- really | has a comment",
        "SELECT :entity /* so */ | has a comment",
        "SELECT $1, :entity | has a '$': give texts in single quotes, and the id as :entity",
        "SELECT :id | has a parameter :id, and there is only :entity",
        "SELECT 'x WHERE :entity | has a quote that is not closed",
        "SELECT E'\\'' WHERE :entity | has a backslash before a quote",
        "SELECT {d '2026-01-01'}, :entity | has a '{' that stands in no quotes"
      })
  void whatMayNot(String text, String fault) {
    assertThat(QueryText.fault(text)).isEqualTo(fault);
  }

  @Test
  void theOperatorsOfJsonbAreTold() {
    assertThat(QueryText.fault("SELECT a ? 'b' FROM t WHERE id = :entity"))
        .startsWith("has a '?': for the operators of jsonb");
  }

  @Test
  void ofNoEntityItSaysNullWhereItsIdStands() {
    assertThat(QueryText.ofNone("SELECT ':entity', a::int, b[1:2], :entity::int, \":entity\""))
        .isEqualTo("SELECT ':entity', a::int, b[1:2], (NULL)::int, \":entity\"");
  }
}
