package dev.recorder.sqltext;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UntypedConstantsTest {
  private static final String NULL = "(NULL::pg_catalog.unknown)";

  private static void becomes(String sql, String without) {
    assertThat(UntypedConstants.in(sql)).isEqualTo(without.replace("?", NULL));
  }

  @Test
  void aTextBecomesANullWithoutAType() {
    becomes("tags @> '{vip}'", "tags @> ?");
    becomes("'it''s' || a = ('b')", "? || a = (?)");
    becomes("a IN ('b', 'c') AND 'd' LIKE 'e' ESCAPE '!'", "a IN (?, ?) AND ? LIKE ? ESCAPE ?");
    becomes("'{a}'::m.l[]", "?::m.l[]");
    becomes("CAST('x' AS m.l)", "CAST(? AS m.l)");
    becomes("a[1] OPERATOR(m.+) 'x'", "a[1] OPERATOR(m.+) ?");
    becomes("E'x' || e'y' || U&'d!0061' UESCAPE '!' = u&'x'", "? || ? || ?  = ?");
  }

  @Test
  void aTextInSeveralPiecesIsOne() {
    becomes("a = 'b'\n 'c'", "a = ?\n ");
  }

  @Test
  void aTextBehindATypesNameIsACast() {
    becomes("a < m.l 'x'", "a < ?::m.l ");
    becomes("a < \"m\" . \"L\"\"l\" 'x'", "a < ?::\"m\" . \"L\"\"l\" ");
    becomes("m.U&\"l\" 'x'", "?::m.U&\"l\" ");
    becomes("uuid 'x' <> a", "uuid ? <> a");
    becomes("m.interval 'x'", "?::m.interval ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "extract('year' FROM a)",
        "EXTRACT ( 'year' FROM a)",
        "interval '1' day",
        "INTERVAL (3) '1' day",
        "TIMESTAMP(0) WITH TIME ZONE '2026-01-01'",
        "numeric(10, 2) '1.5'",
        "double precision '1.5'",
        "B'101' || x'1F' = N'a'",
        "JSON_TABLE(f(a, b), '$[*]' COLUMNS (c int PATH '$.c'))",
        "a = \"it's\"",
      })
  void whatCanOnlyBeOfTheServersTypesStays(String sql) {
    assertThat(UntypedConstants.in(sql)).isEqualTo(sql);
  }

  @Test
  void nothingElseThatLooksLikeItDoes() {
    becomes("m.extract('year')", "m.extract(?)");
    becomes("m.json_table(a, 'x')", "m.json_table(a, ?)");
    becomes(
        "json_table(a, '$' PASSING 'x' AS y, 'z' AS q)",
        "json_table(a, '$' PASSING ? AS y, ? AS q)");
    becomes("m.numeric(a) 'x'", "m.numeric(a) ?");
    becomes("OPERATOR(m.+) 'x'", "OPERATOR(m.+) ?");
    becomes("a e 'x'", "a e ?");
    becomes("ab'x'", "ab?");
  }
}
