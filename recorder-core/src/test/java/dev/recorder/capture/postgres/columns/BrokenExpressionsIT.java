package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.CaptureNews;
import dev.recorder.capture.postgres.CaptureNews.NewsKind;
import dev.recorder.capture.postgres.WithKeptSite;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Something that an expression of a capture names gets another name, or is gone. */
class BrokenExpressionsIT extends WithKeptSite {
  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE TYPE public.st AS ENUM ('open', 'closed')",
        "CREATE TABLE item (id int PRIMARY KEY, v text NOT NULL, s public.st NOT NULL)",
        "CREATE TABLE other (id int PRIMARY KEY)");
    site.database.execute(
        "ALTER TYPE public.st OWNER TO postgres",
        "CREATE SCHEMA code",
        "GRANT USAGE ON SCHEMA code TO PUBLIC",
        "CREATE FUNCTION code.same(x text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN $1; END'");
  }

  private static CaptureOptions when(String when) {
    return new CaptureOptions(ColumnChoice.ALL, when, null, OldImage.KEY);
  }

  private static CaptureOptions key(String key) {
    return new CaptureOptions(ColumnChoice.ALL, null, key, OldImage.KEY);
  }

  private void insert(int id) throws SQLException {
    try (Connection fresh = site.connect();
        Statement statement = fresh.createStatement()) {
      statement.execute("INSERT INTO item VALUES (" + id + ", 'x', 'closed')");
    }
  }

  /** By the machine, in a look of its own. */
  private List<String> seen() throws Exception {
    return kept.look().stream()
        .filter(news -> news.kind() == NewsKind.LOSING)
        .map(CaptureNews::text)
        .filter(text -> text.startsWith("each change of "))
        .toList();
  }

  private List<String> checked() {
    return site.losses().stream().filter(text -> text.startsWith("each change of ")).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "s = 'open'|ALTER TYPE public.st RENAME VALUE 'open' TO 'opened'",
        "s = 'open'::public.st|ALTER TYPE public.st RENAME TO state",
        "code.same(v) = 'x'|ALTER FUNCTION code.same RENAME TO alike",
        "code.same(v) = 'x'|DROP FUNCTION code.same",
        "code.same(v) = 'x'|ALTER SCHEMA code RENAME TO app"
      })
  void isAFindingWhereEachChangeFailsByIt(String when, String definition) throws Exception {
    site.capture("item", when(when));
    site.capture("other");
    insert(1);
    assertThat(seen()).isEmpty();
    site.run("ALTER TABLE other DISABLE TRIGGER USER");

    site.database.execute(definition);

    assertThatThrownBy(() -> insert(2)).hasMessageContaining("ERROR");
    assertThat(checked()).singleElement().asString().contains("--when '" + when + "'", "ERROR");
    assertThat(seen()).isEqualTo(checked());
    assertThat(site.losses()).anyMatch(text -> text.contains("triggers that are disabled"));
    site.capture("item", when("v <> 'y'"), true);
    insert(2);
    assertThat(checked()).isEmpty();
    assertThat(seen()).isEmpty();
  }

  @Test
  void whatWasFoundStaysSoWhileTheTableIsLocked() throws Exception {
    site.capture("item", when("s = 'open'"));
    site.database.execute("ALTER TYPE public.st RENAME VALUE 'open' TO 'opened'");
    List<String> found = seen();
    assertThat(found).hasSize(1);

    try (Connection other = site.connect();
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN; LOCK TABLE item");
      assertThat(seen()).isEqualTo(found);
    }
    site.database.execute("ALTER TYPE public.st RENAME VALUE 'opened' TO 'open'");
    assertThat(seen()).isEmpty();
  }

  @Test
  void soItIsForAKey() throws Exception {
    site.capture("item", key("code.same(v)"));
    insert(1);
    assertThat(seen()).isEmpty();

    site.database.execute("ALTER FUNCTION code.same RENAME TO alike");

    assertThatThrownBy(() -> insert(2)).hasMessageContaining("code.same(text)");
    assertThat(checked()).singleElement().asString().contains("--key 'code.same(v)'");
    assertThat(seen()).isEqualTo(checked());
    site.database.execute("ALTER FUNCTION code.alike RENAME TO same");
    insert(2);
    assertThat(checked()).isEmpty();
    assertThat(seen()).isEmpty();
  }

  @Test
  void isNoneWhereTheExpressionIsLeftOut() throws Exception {
    site.capture("item", when("v = 'x' AND s = 'open'"));
    site.run("ALTER TABLE item ALTER v TYPE int USING 1");
    site.database.execute("ALTER TYPE public.st RENAME VALUE 'open' TO 'opened'");
    site.run("INSERT INTO item VALUES (1, 1, 'closed')");
    assertThat(checked()).isEmpty();
    assertThat(seen()).isEmpty();
  }

  /** A condition of documents is evaluated with what finds their entities. */
  @Test
  void changesThatAskForDocumentsFailToo() throws Exception {
    site.database.execute("GRANT SELECT ON item TO recorder_reader");
    site.captureEntities("item", "CASE WHEN s = 'open' THEN id END");
    site.capture("other");
    site.run("ALTER TABLE other DISABLE TRIGGER USER");
    site.database.execute("ALTER TYPE public.st RENAME VALUE 'open' TO 'opened'");
    try (var captures = site.captures()) {
      assertThat(captures.check())
          .anyMatch(finding -> finding.text().startsWith("statements on it fail"))
          .anyMatch(finding -> finding.text().contains("triggers that are disabled"));
    }
  }
}
