package dev.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.JavaTokens;
import dev.recorder.testing.JavaTokens.Token;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SQL is written in one form, and in few places: as texts that {@code Sql} or {@code SqlTemplate}
 * fill by names. Nobody counts arguments, and nothing is joined that could end a text elsewhere.
 *
 * <p>A text is SQL if it begins as a statement does, or has a line that does. A sentence that names
 * a statement, as a remedy, is none.
 */
class SqlFormTest {
  private static final Pattern STATEMENT =
      Pattern.compile(
          "^[\\s(;]*((SELECT|INSERT INTO|UPDATE [\\w{}.]+ (\\w+ )?SET|DELETE FROM|ALTER [A-Z]+|CREATE"
              + "|DROP [A-Z]+|GRANT|REVOKE|LOCK TABLE|TRUNCATE|COPY|SET [a-zL]\\w+|WITH [\\w{}]+"
              + "|(UN)?LISTEN|NOTIFY|EXPLAIN|EXECUTE|ANALYZE|COMMENT ON|CASE WHEN)\\s|DO [${])",
          Pattern.MULTILINE);

  /** By what a text would be filled in a second form. */
  private static final Set<String> FILLING = Set.of("formatted", "replace", "replaceAll", "concat");

  /** Packages whose names say so, and one whose name does not. */
  private static final Set<String> PLACES =
      Set.of(
          "postgres",
          "schema",
          "script",
          // An operator's questions go across all wings, on one session, and belong to none.
          "operate");

  @Test
  void sqlIsFilledByNamesAlone() {
    assertThat(files().flatMap(SqlFormTest::otherForms)).isEmpty();
  }

  @Test
  void sqlStandsWhereThePackageSaysSo() {
    assertThat(files().filter(file -> !isPlace(file)).flatMap(SqlFormTest::statements)).isEmpty();
  }

  @Test
  void everyOtherFormIsFound() {
    for (String other :
        List.of(
            "x = \"SELECT a FROM %s\".formatted(t);",
            "x = \"\"\"\n  SELECT a\n  FROM {t}\n  \"\"\".replace(\"{t}\", t);",
            "x = (\"SELECT a\" + \" FROM %s\").formatted(t);",
            "x = \"SELECT a\" + \" FROM \" + t;",
            "x = with + \"SELECT a FROM b\";",
            "x = String.format(\"LOCK TABLE %s\", t);",
            "x = String.format(Locale.ROOT, \"LOCK TABLE %s\", t);",
            "sql.append(\"LISTEN \").append(channel);",
            "String LOCK = \"LOCK TABLE %s\"; x = LOCK.formatted(t);",
            "String LOCK = \"LOCK TABLE %s\"; names.map(LOCK::formatted);",
            "String LOCK = \"LOCK TABLE {t}\"; x = LOCK + more;")) {
      assertThat(otherForms("", JavaTokens.of(other))).as(other).isNotEmpty();
    }
  }

  @Test
  void whatIsNoOtherFormIsNone() {
    for (String fine :
        List.of(
            "x = SqlTemplate.fill(\"SELECT a FROM {t}\", Map.of(\"t\", t));",
            "x = \"SELECT a\" + \" FROM b\";",
            "// \"SELECT \" + a\nx = \"let its owner run: LOCK TABLE %s\".formatted(t);",
            "need(\"UPDATE\", \"t_\" + a);")) {
      assertThat(otherForms("", JavaTokens.of(fine))).as(fine).isEmpty();
    }
  }

  /**
   * {@code SELECT xid::text … ORDER BY xid} has the text in mind: the name of a selected column
   * comes before that of the table's, 99 before 1000, and no index helps.
   */
  @Test
  void nothingIsOrderedByTheTextOfAColumn() {
    assertThat(files().flatMap(SqlFormTest::orderedTexts)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT xid::text FROM t ORDER BY xid DESC",
        "SELECT h.xid::text FROM t h ORDER BY id, xid",
        "SELECT id, xid::text, key\nFROM t\nORDER BY key,\n  xid"
      })
  void anOrderByATextIsFound(String sql) {
    assertThat(castAndOrderedBy(sql)).containsExactly("xid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT h.xid::text FROM t h ORDER BY h.xid DESC",
        "SELECT xid::text AS shown FROM t ORDER BY xid",
        "SELECT xid FROM t WHERE xid = :xid::xid8 ORDER BY xid"
      })
  void anOrderByTheColumnItselfIsNone(String sql) {
    assertThat(castAndOrderedBy(sql)).isEmpty();
  }

  private static final Pattern CAST =
      Pattern.compile("(?<!:)\\b(\\w+)::[\\w\\[\\]]+\\s*(?=,|FROM\\b)");

  private static final Pattern ORDER = Pattern.compile("ORDER BY ([^)]*)");

  private static Stream<String> orderedTexts(Path file) {
    return tokens(file).stream()
        .filter(SqlFormTest::isSql)
        .filter(token -> !castAndOrderedBy(token.text()).isEmpty())
        .map(token -> file + ":" + token.line() + ": " + castAndOrderedBy(token.text()));
  }

  private static List<String> castAndOrderedBy(String sql) {
    return CAST.matcher(sql)
        .results()
        .map(cast -> cast.group(1))
        .filter(
            column -> ORDER.matcher(sql).results().anyMatch(order -> names(order.group(1), column)))
        .distinct()
        .toList();
  }

  /** By its name alone, which may be the selected one. */
  private static boolean names(String order, String column) {
    return Pattern.compile("(?<![\\w.(:])" + column + "\\b(?!\\()").matcher(order).find();
  }

  private static boolean isPlace(Path file) {
    for (Path part : file.getParent()) {
      if (PLACES.contains(part.toString())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSql(Token token) {
    return token.isText() && STATEMENT.matcher(token.text()).find();
  }

  private static Stream<String> statements(Path file) {
    return tokens(file).stream()
        .filter(SqlFormTest::isSql)
        .map(token -> file + ":" + token.line() + ": " + token.text().strip());
  }

  private static Stream<String> otherForms(Path file) {
    return otherForms(file.toString(), tokens(file));
  }

  private static Stream<String> otherForms(String file, List<Token> tokens) {
    List<String> found = new ArrayList<>();
    List<String> constants = new ArrayList<>();
    for (int at = 0; at < tokens.size(); at++) {
      Token token = tokens.get(at);
      boolean isSql = isSql(token);
      if (isSql && is(tokens, at - 1, "=")) {
        constants.add(tokens.get(at - 2).text());
      }
      boolean isConstant = !token.isText() && constants.contains(token.text());
      if (isSql || (isConstant && !is(tokens, at + 1, "="))) {
        String fault = fault(tokens, at);
        if (!fault.isEmpty()) {
          found.add(file + ":" + token.line() + ": " + fault + ": " + token.text().strip());
        }
      }
    }
    return found.stream();
  }

  private static String fault(List<Token> tokens, int at) {
    int first = at;
    while (is(tokens, first - 1, "+") && tokens.get(first - 2).isText()) {
      first -= 2;
    }
    int last = at;
    while (is(tokens, last + 1, "+") && tokens.get(last + 2).isText()) {
      last += 2;
    }
    if (is(tokens, first - 1, "+") || is(tokens, last + 1, "+")) {
      return "is joined";
    }
    boolean isOpened = is(tokens, first - 1, "(");
    if (isOpened && is(tokens, first - 2, "append")) {
      return "is appended";
    }
    boolean isSecond = is(tokens, first - 1, ",") && is(tokens, first - 3, ".");
    if ((isOpened && is(tokens, first - 2, "format"))
        || (isSecond && is(tokens, first - 6, "format"))) {
      return "is formatted";
    }
    boolean isGrouped = isOpened && tokens.get(first - 2).kind() == JavaTokens.Kind.SIGN;
    int behind = isGrouped && is(tokens, last + 1, ")") ? 2 : 1;
    boolean isAsked = is(tokens, last + behind, ".") || is(tokens, last + behind, "::");
    return isAsked && FILLING.contains(tokens.get(last + behind + 1).text()) ? "is filled" : "";
  }

  private static boolean is(List<Token> tokens, int at, String sign) {
    return at >= 0
        && at < tokens.size()
        && !tokens.get(at).isText()
        && tokens.get(at).text().equals(sign);
  }

  private static Stream<Path> files() {
    try {
      return SourcesTest.sources().stream().sorted();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Token> tokens(Path file) {
    try {
      return JavaTokens.of(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
