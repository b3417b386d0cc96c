package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionConditionTest {
  private static final Set<String> COLUMNS = Set.of("id", "region", "at", "Odd \"one\"", "now");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "((id IS NOT NULL) AND (id >= 1) AND (id < 100))",
        "((id >= '-5'::integer) AND (id < 5))",
        "((region IS NOT NULL) AND (region = ANY (ARRAY['it''s'::text, 'us'::text])))",
        "((region IS NULL) OR (region = 'eu'::character varying(10)))",
        "(at >= '2026-01-01 00:00:00'::timestamp without time zone)",
        "(at < '2026-01-01 00:00:00+00'::timestamp with time zone)",
        "(NOT ((id IS NOT NULL) AND (id = ANY (ARRAY[1, 2]))))",
        "(\"Odd \"\"one\"\"\" = 'x'::public.\"My mood\")",
        "((id)::text = '7'::text)",
        "(id = 1.50)"
      })
  void comparisonsOfColumnsWithConstantsAreRun(String condition) {
    assertThat(new PartitionCondition(condition, COLUMNS).isPlain()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "pg_sleep(5)",
        "now()",
        "(now() > at)",
        "\"now\"()",
        "(id = lo_unlink(16400))",
        "('a'::text LIKE lo_unlink(5))",
        "('a'::text lo_unlink(5))",
        "('a'::pg_catalog.lo_unlink('5'))",
        "(id = ANY (SELECT oid FROM pg_class))",
        "true); DROP TABLE account; --",
        "true -- ",
        "true /* x */",
        "(id = 1",
        "id = 1)",
        "(other = 1)",
        "(id OPERATOR(pg_catalog.=) 1)",
        "('a\\' = 'b')",
        "(E'\\\\' = region)",
        "($1 = id)",
        "satisfies_hash_partition('16400'::oid, 2, 0, id)",
        "(id = 1)::",
        "('a' 'b')::text pg_sleep(1)"
      })
  void nothingElseIs(String condition) {
    assertThat(new PartitionCondition(condition, COLUMNS).isPlain()).isFalse();
  }
}
