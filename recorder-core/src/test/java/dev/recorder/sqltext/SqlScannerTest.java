package dev.recorder.sqltext;

import static dev.recorder.sqltext.SqlPiece.PieceKind.CLOSING;
import static dev.recorder.sqltext.SqlPiece.PieceKind.COMMENT;
import static dev.recorder.sqltext.SqlPiece.PieceKind.DOLLAR;
import static dev.recorder.sqltext.SqlPiece.PieceKind.OPENING;
import static dev.recorder.sqltext.SqlPiece.PieceKind.OTHER;
import static dev.recorder.sqltext.SqlPiece.PieceKind.PARAMETER;
import static dev.recorder.sqltext.SqlPiece.PieceKind.QUOTED;
import static dev.recorder.sqltext.SqlPiece.PieceKind.UNCLOSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.recorder.sqltext.SqlPiece.PieceKind;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlScannerTest {
  @Test
  void quotesHideWhatStandsInThem() {
    assertThat(of(QUOTED, "a '(--' \"$[\" b")).containsExactly("'(--'", "\"$[\"");
    assertThat(of(OPENING, "a '(' \"[\" b")).isEmpty();
    assertThat(of(COMMENT, "a '--' \"/*\" b")).isEmpty();
  }

  @Test
  void aQuoteOfTheOtherKindEndsNothing() {
    assertThat(of(QUOTED, "'a\"b' \"c'd\"")).containsExactly("'a\"b'", "\"c'd\"");
  }

  @Test
  void aDoubledQuoteEndsOnePieceAndBeginsTheNext() {
    assertThat(of(QUOTED, "'O''Hara' \"a\"\"b\""))
        .containsExactly("'O'", "'Hara'", "\"a\"", "\"b\"");
    assertThat(of(QUOTED, "''")).containsExactly("''");
  }

  @Test
  void aQuoteThatNothingClosesGoesToTheEnd() {
    assertThat(of(UNCLOSED, "a = 'b) -- \"c")).containsExactly("'b) -- \"c");
    assertThat(of(UNCLOSED, "a = '")).containsExactly("'");
    assertThat(of(UNCLOSED, "a = 'b'' ")).as("the last of three").containsExactly("' ");
  }

  @Test
  void aBackslashHidesNoQuote() {
    assertThat(of(QUOTED, "E'\\' || 'x'")).containsExactly("'\\'", "'x'");
  }

  @Test
  void commentsAndDollarsAreToldByTheirBeginning() {
    assertThat(of(COMMENT, "a - - b --c /*d")).containsExactly("--", "/*");
    assertThat(of(COMMENT, "a - b / c * d")).isEmpty();
    assertThat(of(DOLLAR, "$1 $tag$ x")).containsExactly("$", "$", "$");
  }

  @Test
  void aParameterIsAColonWithAName() {
    assertThat(of(PARAMETER, "a = :entity+:b_2 OR :_c")).containsExactly(":entity", ":b_2", ":_c");
  }

  @Test
  void castsSlicesAndAssignmentsAreNone() {
    assertThat(of(PARAMETER, "a::text, b[1:2], f(c := d), e[1 : 2], :")).isEmpty();
    assertThat(of(PARAMETER, ":entity::text::int")).containsExactly(":entity");
    assertThat(of(PARAMETER, "a:::b")).as("behind a cast").containsExactly(":b");
  }

  @Test
  void piecesKnowWhereTheyStand() {
    assertThat(SqlScanner.pieces("(':'])::"))
        .extracting(SqlPiece::kind, SqlPiece::text, SqlPiece::at)
        .containsExactly(
            tuple(OPENING, "(", 0),
            tuple(QUOTED, "':'", 1),
            tuple(CLOSING, "]", 4),
            tuple(CLOSING, ")", 5),
            tuple(OTHER, "::", 6));
  }

  @Test
  void aPieceKnowsItsOneCharacterAndWhatStandsInItsQuotes() {
    SqlPiece closing = new SqlPiece(CLOSING, ")", 0);
    assertThat(closing.is(')')).isTrue();
    assertThat(closing.is('(')).isFalse();
    assertThat(new SqlPiece(OTHER, "::", 0).is(':')).isFalse();
    assertThat(new SqlPiece(QUOTED, "'a'", 0).inner()).isEqualTo("a");
    assertThat(new SqlPiece(QUOTED, "''", 0).inner()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "SELECT (:entity)::int[1:2] || 'x''y' \"q\"\" -- \n /* $a$ */ $1",
        "'never closed",
        "\uD83D\uDE00 = ':\u00e9' :\u00e9t\u00e9",
        "\0;{}?"
      })
  void putTogetherTheyAreTheText(String text) {
    assertThat(SqlScanner.pieces(text).stream().map(SqlPiece::text).collect(Collectors.joining()))
        .isEqualTo(text);
  }

  private static List<String> of(PieceKind kind, String text) {
    return SqlScanner.pieces(text).stream()
        .filter(piece -> piece.kind() == kind)
        .map(SqlPiece::text)
        .toList();
  }
}
