package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.CaptureSite;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.WithCaptureSite;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A function that an expression of a capture calls gets another body. */
class ReplacedFunctionsIT extends WithCaptureSite {
  private static final String FINDING = "functions that its expressions call have other bodies";

  private static final CaptureOptions LARGE =
      new CaptureOptions(ColumnChoice.ALL, "code.is_large(v, 0)", null, OldImage.KEY);

  @BeforeEach
  void create() throws Exception {
    site.run("CREATE TABLE item (id int PRIMARY KEY, v int NOT NULL)");
    site.database.execute(
        "GRANT SELECT ON item TO recorder_reader",
        "CREATE SCHEMA code",
        "GRANT USAGE ON SCHEMA code TO PUBLIC");
  }

  private void isLarge(String body) throws Exception {
    site.database.execute(
        "CREATE OR REPLACE FUNCTION code.is_large(v int, more int) RETURNS boolean IMMUTABLE "
            + body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LANGUAGE sql AS 'SELECT v > 5'|LANGUAGE sql AS 'SELECT v > 100'",
        "LANGUAGE sql RETURN v > 5|LANGUAGE sql RETURN v > 100",
        "LANGUAGE plpgsql AS 'BEGIN RETURN v > 5; END'|LANGUAGE sql AS 'SELECT v > 100'"
      })
  void isAFindingUntilASnapshot(String was, String becomes) throws Exception {
    isLarge(was);
    site.capture("item", LARGE);
    site.run("INSERT INTO item VALUES (1, 9)");
    isLarge(was);
    assertThat(site.losses()).isEmpty();

    isLarge(becomes);
    site.run("DELETE FROM item");

    assertThat(site.ops()).containsExactly("insert");
    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith(FINDING)
        .contains("(code.is_large(integer,integer)): run ", "--again --snapshot");
    site.capture("item", LARGE, true);
    assertThat(site.losses()).singleElement().asString().startsWith("found before: " + FINDING);
    site.snapshot("item");
    assertThat(site.losses()).isEmpty();
  }

  @Test
  void soItIsWhereAnOperatorOfUsersIsByIt() throws Exception {
    isLarge("LANGUAGE sql AS 'SELECT v > 5'");
    site.database.execute(
        "CREATE OPERATOR code.>>> (FUNCTION = code.is_large, LEFTARG = int, RIGHTARG = int)");
    site.capture(
        "item", new CaptureOptions(ColumnChoice.ALL, "v OPERATOR(code.>>>) 0", null, OldImage.KEY));
    isLarge("LANGUAGE sql AS 'SELECT v > 100'");
    assertThat(site.losses()).singleElement().asString().startsWith(FINDING);
  }

  @Test
  void soItIsWhereEntitiesAreFoundByIt() throws Exception {
    isLarge("LANGUAGE sql AS 'SELECT v > 5'");
    site.captureEntities("item", "CASE WHEN code.is_large(v, 0) THEN id END");
    assertThat(site.losses()).isEmpty();

    isLarge("LANGUAGE sql AS 'SELECT v > 100'");

    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith(FINDING)
        .endsWith("and ask for its entities");
    again();
    assertThat(site.losses()).singleElement().asString().startsWith("found before: " + FINDING);
    again();
    assertThat(site.losses()).isEmpty();
  }

  private void again() throws Exception {
    try (Captures captures = site.captures()) {
      captures.add(
          new WantedCapture(
              CaptureSite.ACCOUNTS,
              "item",
              CaptureOptions.ofDocuments("CASE WHEN code.is_large(v, 0) THEN id END", null)),
          true);
    }
  }
}
