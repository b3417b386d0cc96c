package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.CaptureSite;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.WithCaptureSite;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of a row again when it goes must say the same as when it came. */
class MomentsOfExpressionsIT extends WithCaptureSite {
  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE TABLE item (id int PRIMARY KEY, v text, n numeric, at timestamptz, day date,"
            + " local timestamp, doc jsonb)",
        "GRANT SELECT ON item TO recorder_reader",
        "CREATE TABLE look (v text)",
        "GRANT SELECT ON look TO recorder_reader");
    site.database.execute(
        "CREATE SCHEMA code",
        "GRANT USAGE ON SCHEMA code TO PUBLIC",
        "CREATE FUNCTION code.looks(x text) RETURNS boolean STABLE LANGUAGE sql AS"
            + " 'SELECT EXISTS (SELECT FROM public.look WHERE v = x)'",
        "CREATE FUNCTION code.same(x text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1'");
  }

  private static CaptureOptions when(String when) {
    return new CaptureOptions(ColumnChoice.ALL, when, null, OldImage.KEY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "at > now() - interval '2 seconds'|now()",
        "at > statement_timestamp()|statement_timestamp()",
        "at > current_timestamp|current_timestamp",
        "day = current_date|a word such as current_date",
        "local < localtimestamp|a word such as current_date",
        "v = current_user|a word such as current_date",
        "v = session_user|a word such as current_date",
        "v = current_setting('app.x', true)|current_setting()",
        "age(at) < interval '1 day'|age()",
        "pg_has_role('postgres', 'USAGE')|pg_has_role()",
        "at >= 'today'|'today'",
        "day = ' Tomorrow'::date|' Tomorrow'",
        "day > 'now'::text::date|'now'",
        "v::regclass = 'pg_class'::regclass|regclass()",
        "code.looks(v)|code.looks(), which is STABLE: if it always says the same"
      })
  void aConditionThatDependsOnTimeOrSessionIsRefused(String when, String what) {
    assertThatThrownBy(() -> site.capture("item", when(when)))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageStartingWith("--when '" + when + "' depends on when, or in which session,")
        .hasMessageContaining(what.equals("current_timestamp") ? "a word such as" : what)
        .hasMessageContaining("compare columns with fixed values");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "at >= '2026-01-01'",
        "at >= '2026-01-01 00:00 Europe/Paris'",
        "at::date = day AND day <= at",
        "local < at + interval '1 month'",
        "date_trunc('day', at) = day",
        "extract(year FROM at) > 2000",
        "to_char(at, 'YYYY') = '2026' AND to_char(n, '999') <> ''",
        "v = 'today' AND at < '2026-01-01'",
        "format('%s', at) <> concat(v, day) AND v || day <> ''",
        "to_tsvector(v) @@ to_tsquery('x')",
        "(doc ->> 'n')::numeric > 1 AND jsonb_path_exists(doc, '$.a')",
        "lower(v) IN ('a', 'b') AND code.same(v) LIKE 'x%'",
        "n::money > 1::money AND at::text <> '' AND v::timestamptz < at",
        "age(at, '2026-01-01') > interval '1 day'",
        "(at, at) OVERLAPS (at, interval '1 day')"
      })
  void whatDependsOnSettingsOfTheFunctionAloneIsNot(String when) {
    assertThatCode(() -> site.capture("item", when(when))).as(when).doesNotThrowAnyException();
  }

  private void entity(String entity, String when) throws Exception {
    try (Captures captures = site.captures()) {
      captures.add(
          new WantedCapture(CaptureSite.ACCOUNTS, "item", CaptureOptions.ofDocuments(entity, when)),
          true);
    }
  }

  @Test
  void soIsWhatEntitiesAreFoundByExceptThatItMayLookThemUp() throws Exception {
    for (String entity :
        List.of(
            "CASE WHEN at > now() THEN id END",
            "SELECT l.v FROM public.look l WHERE l.v = current_setting('app.x', true)",
            "SELECT l.v FROM public.look l WHERE current_date > item.day",
            "SELECT l.v FROM public.look l WHERE item.at > 'yesterday'")) {
      assertThatThrownBy(() -> entity(entity, null))
          .as(entity)
          .isInstanceOf(RefusedCaptureException.class)
          .hasMessageContaining("' depends on when, or in which session, it is asked: ");
    }
    assertThatThrownBy(() -> entity("id", "at > now()"))
        .hasMessageStartingWith("--when 'at > now()' depends on when");
    entity("CASE WHEN code.looks(v) THEN id END", null);
    entity("SELECT l.v FROM public.look l WHERE l.v = item.v", "day < '2026-01-01'");
  }

  /** As it could be set up once. */
  @Test
  void aCaptureThatHasOneIsAFindingThatLosesChanges() throws Exception {
    site.capture("item", when("v <> code.same('x')"));
    entity("CASE WHEN code.same(v) = '' THEN 1 ELSE id END", null);
    assertThat(site.losses()).isEmpty();
    site.database.execute(
        "UPDATE recorder.captures SET when_sql = 'at > now()' WHERE when_sql IS NOT NULL",
        "UPDATE recorder.captures SET entity_sql = 'CASE WHEN day < current_date THEN id END'"
            + " WHERE entity_sql IS NOT NULL");

    assertThat(site.losses())
        .anyMatch(
            text ->
                text.startsWith("--when 'at > now()' depends on when")
                    && text.endsWith("then write all rows with capture snapshot"))
        .anyMatch(
            text ->
                text.startsWith("--entity 'CASE WHEN day < current_date")
                    && text.endsWith("then ask for its entities"))
        .hasSize(2);
  }
}
