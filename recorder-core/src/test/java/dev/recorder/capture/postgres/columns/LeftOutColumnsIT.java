package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A column that a capture leaves out stays out of the log under whatever name it has later. */
class LeftOutColumnsIT extends ChosenColumns {
  LeftOutColumnsIT() {
    super(OldImage.ALL);
  }

  private void hasNoSecret() throws Exception {
    assertThat(
            site.database.query(
                "SELECT concat(key, payload) FROM handoff.orders", row -> row.getString(1)))
        .isNotEmpty()
        .noneMatch(row -> row.contains("top"));
  }

  private void refusesAgain(CaptureOptions options, String... says) {
    assertThatThrownBy(() -> site.capture("t", options, true))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContainingAll(says);
  }

  @Test
  void oneThatIsRenamedStaysLeftOut() throws Exception {
    site.capture("t", except("secret"));
    site.run(
        "INSERT INTO t VALUES (1, 'a', 'top')",
        "ALTER TABLE t RENAME secret TO password",
        "INSERT INTO t VALUES (2, 'b', 'top')",
        "UPDATE t SET a = 'c', password = 'topmost'",
        "DELETE FROM t WHERE id = 1");
    hasNoSecret();
    site.snapshot("t");

    hasNoSecret();
    assertThat(site.changes()).noneMatch(change -> change.contains("password"));
    assertThat(site.ops())
        .containsExactly("insert", "insert", "update", "update", "delete", "snapshot");
    assertThat(site.rows()).last().asString().contains("\"after\":{\"id\":2,\"a\":\"c\"}");
    assertThat(findings(true)).isEmpty();
    assertThat(findings(false))
        .containsExactly(
            "columns have other names than when it was set up, and what was left out or captured stays so:"
                + " secret is called password now; add the capture with --again and the names of"
                + " now");
  }

  @Test
  void oneThatGetsTheNameOfAChosenOneIsNotTakenForThat() throws Exception {
    site.capture("t", only("id", "a"));
    site.run(
        "ALTER TABLE t RENAME a TO b",
        "ALTER TABLE t RENAME secret TO a",
        "INSERT INTO t VALUES (1, 'kept', 'top')",
        "UPDATE t SET b = 'still', a = 'topmost'");
    site.snapshot("t");

    hasNoSecret();
    assertThat(site.rows()).last().asString().contains("\"after\":{\"id\":1,\"b\":\"still\"}");
    assertThat(findings(true)).isEmpty();
    assertThat(findings(false))
        .singleElement()
        .asString()
        .contains(": a is called b now, a was left out under another name; add the capture");

    site.run("ALTER TABLE t DROP b", "UPDATE t SET a = 'top'");
    hasNoSecret();
    assertThat(findings(false)).contains("has columns that are not captured: a");
  }

  @Test
  void aListThatMeansOtherColumnsByNowIsRefusedUntilItHasTheNamesOfNow() throws Exception {
    site.capture("t", except("secret"));
    site.run("ALTER TABLE t RENAME secret TO password");
    site.run("ALTER TABLE t ADD secret text");
    refusesAgain(
        except("secret"),
        "column password of table public.t was left out under another name",
        "'recorder capture remove'");
    site.run("ALTER TABLE t DROP secret");
    refusesAgain(except("secret"), "no column secret (called password now) that could be captured");
    site.run("ALTER TABLE t ADD secret text");

    site.capture("t", except("secret", "password"), true);
    site.run("INSERT INTO t VALUES (1, 'a', 'top', 'top')");
    hasNoSecret();
    assertThat(findings(true)).isEmpty();
    assertThat(findings(false)).isEmpty();
    site.run(
        "ALTER TABLE t RENAME password TO word", "INSERT INTO t VALUES (2, 'b', 'top', 'top')");
    hasNoSecret();

    site.capture("t", CaptureOptions.USUAL, true);
    assertThat(findings(true)).singleElement().asString().contains("until a snapshot");
  }

  @Test
  void soIsAListOfChosenOnes() throws Exception {
    site.capture("t", only("id", "a"));
    site.run("ALTER TABLE t RENAME a TO b", "ALTER TABLE t RENAME secret TO a");
    refusesAgain(only("id", "a"), "column a of table public.t was left out under another name");

    site.capture("t", only("id", "b"), true);
    site.run("INSERT INTO t VALUES (1, 'kept', 'top')");
    hasNoSecret();
    assertThat(site.rows()).last().asString().contains("\"after\":{\"id\":1,\"b\":\"kept\"}");
    assertThat(findings(true)).isEmpty();
    assertThat(findings(false)).isEmpty();
  }

  /** It has another number, and its name counts until the log has been told of it. */
  @Test
  void oneThatIsDroppedAndAddedAgainStaysLeftOutUnderOtherNames() throws Exception {
    site.capture("t", except("secret"));
    site.run(
        "ALTER TABLE t DROP secret",
        "ALTER TABLE t ADD secret text",
        "INSERT INTO t VALUES (1, 'a', 'top')",
        "ALTER TABLE t RENAME secret TO password",
        "ALTER TABLE t ADD secret text",
        "ALTER TABLE t ADD more text",
        "INSERT INTO t VALUES (2, 'b', 'top', 'top', 'more')");
    site.snapshot("t");

    hasNoSecret();
    assertThat(site.rows())
        .last()
        .asString()
        .contains("\"after\":{\"id\":2,\"a\":\"b\",\"more\":\"more\"}");
    assertThat(findings(false)).singleElement().asString().contains("password was left out");
    refusesAgain(except("secret"), "column password of table public.t was left out");
  }

  @Test
  void oneThatComesLaterStaysLeftOutUnderTheNameOfAChosenOne() throws Exception {
    site.capture("t", only("id", "a"));
    site.run(
        "ALTER TABLE t ADD x text",
        "INSERT INTO t VALUES (1, 'a', 'top', 'top')",
        "ALTER TABLE t RENAME a TO b",
        "ALTER TABLE t RENAME x TO a",
        "INSERT INTO t VALUES (2, 'b', 'top', 'top')");
    site.snapshot("t");
    hasNoSecret();

    refusesAgain(only("id", "a"), "column a of table public.t was left out");
    site.run("ALTER TABLE t DROP a", "ALTER TABLE t ADD a text", "UPDATE t SET a = 'new'");
    assertThat(site.rows())
        .last()
        .asString()
        .contains("\"after\":{\"id\":2,\"b\":\"b\",\"a\":\"new\"}");
    hasNoSecret();
  }

  /** Each has numbers of its own. */
  @Test
  void soItIsInAPartitionWhoseColumnsHaveOtherNumbers() throws Exception {
    site.run(
        "CREATE TABLE m (id int, y int, a text, secret text, PRIMARY KEY (id, y))"
            + " PARTITION BY RANGE (y)",
        "CREATE TABLE m1 (gone int, secret text, a text, y int NOT NULL, id int NOT NULL)",
        "ALTER TABLE m1 DROP gone",
        "ALTER TABLE m ATTACH PARTITION m1 FOR VALUES FROM (1) TO (2)",
        "CREATE TABLE m2 PARTITION OF m FOR VALUES FROM (2) TO (3)");
    for (CaptureOptions options : List.of(except("secret"), only("id", "y", "a"))) {
      site.capture("m", options, !site.changes().isEmpty());
      site.run(
          "ALTER TABLE m RENAME a TO b",
          "ALTER TABLE m RENAME secret TO a",
          "INSERT INTO m VALUES (1, 1, 'one', 'top'), (2, 2, 'two', 'top')",
          "INSERT INTO m1 (id, y, a, b) VALUES (3, 1, 'top', 'three')",
          "UPDATE m1 SET a = 'topmost', b = 'four' WHERE id = 3",
          "UPDATE m SET a = 'topmost' WHERE id = 2");
      hasNoSecret();
      site.snapshot("m");

      hasNoSecret();
      assertThat(site.rows())
          .contains(
              "{\"op\":\"snapshot\",\"table\":\"public.m\",\"key\":{\"id\":3,\"y\":1},"
                  + "\"after\":{\"id\":3,\"y\":1,\"b\":\"four\"}}");
      assertThat(findings(true)).isEmpty();
      site.run(
          "TRUNCATE m1",
          "TRUNCATE m",
          "ALTER TABLE m RENAME a TO secret",
          "ALTER TABLE m RENAME b TO a");
      hasNoSecret();
    }
  }

  @Test
  void oneIsNoPartOfAKeyUnderAnotherName() throws Exception {
    site.capture("t", except("secret"));
    site.run(
        "ALTER TABLE t RENAME secret TO code",
        "ALTER TABLE t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (id, code)",
        "INSERT INTO t VALUES (1, 'a', 'top')");

    hasNoSecret();
    assertThat(site.rows()).last().asString().doesNotContain("\"key\":");
    assertThat(findings(true)).isEmpty();
  }

  @Test
  void anExpressionIsLeftOutIfItsNameMeansAnotherColumn() throws Exception {
    ColumnChoice choice = new ColumnChoice(List.of(), List.of("secret"));
    site.run("ALTER TABLE t ALTER secret SET NOT NULL");
    site.capture("t", new CaptureOptions(choice, null, "'k' || a", OldImage.KEY));
    site.run(
        "INSERT INTO t VALUES (1, 'a', 'top')",
        "ALTER TABLE t RENAME a TO b",
        "ALTER TABLE t RENAME secret TO a",
        "INSERT INTO t VALUES (2, 'b', 'top')");

    hasNoSecret();
    assertThat(site.database.query("SELECT key FROM handoff.orders", row -> row.getString(1)))
        .containsExactly("public.t", "ka", "public.t", "public.t");
  }
}
