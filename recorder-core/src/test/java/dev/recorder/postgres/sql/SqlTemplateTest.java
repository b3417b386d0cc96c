package dev.recorder.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SqlTemplateTest {
  @Test
  void aPieceStandsWhereverItIsNamedEvenBetweenQuotes() {
    assertThat(SqlTemplate.fill("{a} '{a}' {b}", Map.of("a", "1", "b", "2"))).isEqualTo("1 '1' 2");
  }

  @Test
  void nothingIsReadInAPiece() {
    assertThat(SqlTemplate.fill("{a}", Map.of("a", "'$1 \\ {b} :c %s")))
        .isEqualTo("'$1 \\ {b} :c %s");
  }

  @Test
  void bracesThatNameNothingAreText() {
    assertThat(SqlTemplate.fill("'{}' '{1,2}' {a}", Map.of("a", ""))).isEqualTo("'{}' '{1,2}' ");
  }

  @Test
  void aPieceThatIsMissingIsAnError() {
    assertThatThrownBy(() -> SqlTemplate.fill("{a} {b}", Map.of("a", "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no piece {b}");
    assertThatThrownBy(() -> SqlTemplate.fillFromShared("{b}", Map.of("a", "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no piece {b}");
  }

  @Test
  void aPieceThatTheTextDoesNotNameIsAnErrorUnlessItIsShared() {
    assertThatThrownBy(() -> SqlTemplate.fill("{a}", Map.of("a", "", "b", "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no place for pieces [b]");
    assertThat(SqlTemplate.fillFromShared("{a}", Map.of("a", "1", "b", ""))).isEqualTo("1");
  }

  @Test
  void quotesAreOnesThatTheTextCannotEnd() {
    assertThat(Quoted.identifier("a\"b")).isEqualTo("\"a\"\"b\"");
    assertThat(Quoted.literal("it's")).isEqualTo("'it''s'");
    assertThat(Quoted.literal("a\\b'c")).isEqualTo(" E'a\\\\b''c'");
    assertThat(Quoted.dollars("q", "a $$ b$")).isEqualTo("$q$a $$ b$$q$");
    assertThat(Quoted.dollars("q", "a $q$ $q1$")).isEqualTo("$q2$a $q$ $q1$$q2$");
    assertThat(Quoted.dollars("q", "a$q")).isEqualTo("$q1$a$q$q1$");
  }
}
