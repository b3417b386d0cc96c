package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.replay.postgres.PartitionPredicate.AnyOf;
import dev.recorder.replay.postgres.PartitionPredicate.Compared;
import dev.recorder.replay.postgres.PartitionPredicate.Every;
import dev.recorder.replay.postgres.PartitionPredicate.IsNull;
import dev.recorder.replay.postgres.PartitionPredicate.Not;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionConditionTest {
  @Test
  void aConditionIsReadIntoColumnsAndTexts() {
    assertThat(PartitionCondition.read("((id IS NOT NULL) AND (id >= '-5'::integer) AND (id < 9))"))
        .contains(
            new Every(
                List.of(
                    new Not(new IsNull("id")),
                    new Compared("id", "integer", ">=", "", List.of("-5")),
                    new Compared("id", "", "<", "", List.of("9")))));
    assertThat(
            PartitionCondition.read(
                "(NOT ((\"My\"\"x\" IS NULL) OR ((\"My\"\"x\")::text = ANY (ARRAY['it''s'::public.d,"
                    + " ('b\\c'::character varying(5))::text]))))"))
        .contains(
            new Not(
                new AnyOf(
                    List.of(
                        new IsNull("My\"x"),
                        new Compared("My\"x", "text", "=", "", List.of("it's", "b\\c"))))));
    assertThat(
            PartitionCondition.read(
                "(((v)::text > 'a'::character varying(5) COLLATE \"C\") OR (b = true)"
                    + " OR (at < '2026'::timestamp(3) with time zone) OR (t = E'\\\\x'::text))"))
        .contains(
            new AnyOf(
                List.of(
                    new Compared("v", "text", ">", "C", List.of("a")),
                    new Compared("b", "", "=", "", List.of("true")),
                    new Compared("at", "timestamp(3) with time zone", "<", "", List.of("2026")),
                    new Compared("t", "text", "=", "", List.of("\\x")))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "((a = '{1,2}'::integer[]) OR (a IS NULL))",
        "((from > 1) OR ((from = 1) AND (\"select\" >= 2)))",
        "((x = '-1.50'::numeric(9,2)) AND (c = 'b  '::character(3)) AND (n = 1e5))",
        "(region = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))",
        "(m >= 'a'::\"My schema\".\"My mood\")"
      })
  void soAreOthers(String condition) {
    assertThat(PartitionCondition.read(condition)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "id",
        "pg_sleep(5)",
        "now()",
        "(now() > at)",
        "\"now\"()",
        "(id = lo_unlink(16400))",
        "(id = other)",
        "('a'::text LIKE lo_unlink(5))",
        "('a'::text lo_unlink(5))",
        "('a'::pg_catalog.lo_unlink('5'))",
        "(id = ANY (SELECT oid FROM pg_class))",
        "(id = ANY (ARRAY(select relnatts from pg_class)))",
        "(select relnatts from pg_class)",
        "((select relnatts from pg_class) = 1)",
        "true); DROP TABLE account; --",
        "true -- ",
        "true /* x */",
        "(id = 1",
        "id = 1)",
        "(id OPERATOR(pg_catalog.=) 1)",
        "('a\\' = 'b')",
        "(E'\\\\' = region)",
        "($1 = id)",
        "(id = $$x$$)",
        "(lower((v)::text) >= 'a'::text)",
        "(v > 'a'::text COLLATE public.mine)",
        "satisfies_hash_partition('16400'::oid, 2, 0, id)",
        "(id = 1)::",
        "('a' 'b')::text pg_sleep(1)"
      })
  void nothingElseIs(String condition) {
    assertThat(PartitionCondition.read(condition)).isEmpty();
  }

  @Test
  void noLengthIsTooMuchForIt() {
    for (String text : List.of("''".repeat(100_000), "x".repeat(100_000))) {
      assertThat(PartitionCondition.read("(id = '" + text + "'::text)")).isPresent();
      assertThat(PartitionCondition.read("(\"" + text.replace("'", "\"") + "\" = 1)")).isPresent();
    }
  }

  @Test
  void noDepthIsTooMuchForIt() {
    String deep = "(".repeat(100_000) + "id = 1" + ")".repeat(100_000);

    assertThat(PartitionCondition.read(deep)).isEmpty();
    assertThat(PartitionCondition.read("NOT ".repeat(100_000) + deep)).isEmpty();
  }
}
