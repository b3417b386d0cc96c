package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.CaptureNews.NewsKind;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names of captured tables that other tables get. */
class MovedCapturesIT extends WithKeptSite {
  private static final String COMMAND =
      "recorder capture add public.a --recorder orders --again --snapshot";
  private static final String[] SWAP = {
    "BEGIN",
    "CREATE TABLE a2 (LIKE a INCLUDING ALL)",
    "INSERT INTO a2 SELECT * FROM a",
    "ALTER TABLE a RENAME TO a_old",
    "ALTER TABLE a2 RENAME TO a",
    "COMMIT"
  };

  @BeforeEach
  void create() throws Exception {
    kept.mayTrigger();
    site.run("CREATE TABLE a (id int PRIMARY KEY, v text, w text)");
    site.capture("a");
    site.run("INSERT INTO a VALUES (1, 'one', 'w'), (2, 'two', 'w')");
  }

  private long triggers(String table) throws Exception {
    return site.database.number(
        "SELECT count(*) FROM pg_trigger WHERE tgname LIKE '00%' AND tgrelid = '"
            + table
            + "'::regclass");
  }

  @Test
  void anotherTableThatHasTheNameIsALossThatOneCommandEnds() throws Exception {
    site.run(SWAP);

    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("public.a is another table than the one that is captured")
        .contains("which is called public.a_old now", "copies keep the rows of the other", COMMAND);
    assertThat(kept.faults()).extracting(CaptureNews::kind).containsExactly(NewsKind.LOSING);
    assertThat(kept.faults(KeptSite.rule("a")))
        .extracting(CaptureNews::kind)
        .containsExactlyInAnyOrder(NewsKind.OTHERWISE, NewsKind.LOSING);
    assertThatThrownBy(() -> site.snapshot("a"))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContaining("called public.a_old now")
        .hasMessageContaining("add --again and --snapshot");

    site.again("a");
    assertThat(triggers("a_old")).isZero();
    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("found before: public.a is another table than the one that is captured")
        .contains("recorder capture snapshot public.a --recorder orders");
    site.snapshot("a");

    assertThat(site.losses()).isEmpty();
    int before = site.ops().size();
    site.run("INSERT INTO a_old VALUES (3, 'old', 'w')", "INSERT INTO a VALUES (4, 'new', 'w')");
    assertThat(site.rows()).hasSize(before + 1).last().asString().contains("\"id\":4");
  }

  @Test
  void theFileMovesItByTheScriptOfAnAdministrator() throws Exception {
    site.run(SWAP);
    String script;
    try (Captures captures = site.captures()) {
      script = captures.script(List.of(KeptSite.rule("a")));
    }

    site.database.execute(script);

    assertThat(triggers("a_old")).isZero();
    site.run("INSERT INTO a VALUES (4, 'new', 'w')");
    assertThat(site.ops()).hasSize(3);
  }

  @Test
  void aTableThatIsDroppedAndMadeAnewIsAnotherOneWhoseColumnsAreItsOwn() throws Exception {
    site.run(
        "DROP TABLE a",
        "CREATE TABLE a (id int PRIMARY KEY, w text, v text)",
        "INSERT INTO a VALUES (1, 'w', 'v')");

    assertThat(site.losses())
        .singleElement()
        .asString()
        .contains("which is gone", "copies keep the rows", COMMAND);
    site.again("a");

    assertThat(relations()).hasSize(2).doesNotHaveDuplicates();
    assertThat(site.losses()).singleElement().asString().contains("until a snapshot");
    site.snapshot("a");
    assertThat(site.losses()).isEmpty();
  }

  private List<Long> relations() throws Exception {
    return site.database.query(
        "SELECT (payload->>'relation')::bigint FROM handoff.orders"
            + " WHERE payload->>'op' = 'schema' ORDER BY id",
        row -> row.getLong(1));
  }

  @Test
  void theScriptIsForTheTableThatItWasMadeFor() throws Exception {
    String script;
    site.run("CREATE TABLE b (id int PRIMARY KEY)");
    try (Captures captures = site.captures()) {
      script = captures.script(KeptSite.wanted("b"), true);
    }
    site.run("DROP TABLE b", "CREATE TABLE b (id int PRIMARY KEY)");

    assertThatThrownBy(() -> site.database.execute(script))
        .hasMessageContaining("is another one than when this was made");
    assertThat(triggers("b")).isZero();
  }

  @Test
  void aTableThatIsOnlyRenamedStaysCapturedAndMayBeSetUpAgain() throws Exception {
    site.run("ALTER TABLE a RENAME TO customer", "ALTER TABLE customer ADD COLUMN x int");
    assertThat(site.losses()).isEmpty();
    assertThatThrownBy(
            () -> {
              try (Captures captures = site.captures()) {
                captures.add(KeptSite.wanted("customer"), false);
              }
            })
        .hasMessageContaining("already, as public.a");

    site.again("customer");
    site.run("INSERT INTO customer VALUES (3, 'three')");

    assertThat(site.losses()).isEmpty();
    assertThat(site.rows()).last().asString().contains("\"table\":\"public.a\"", "\"id\":3");
    assertThat(site.database.number("SELECT count(*) FROM recorder.captures")).isOne();
  }

  /** As tools for changes without a lock do it: a view stands in for the table. */
  @Test
  void aViewThatHasTheNameTakesNothingAway() throws Exception {
    site.run("ALTER TABLE a RENAME TO a_base", "CREATE VIEW a AS SELECT * FROM a_base");
    site.run("INSERT INTO a VALUES (3, 'three', 'w')");

    assertThat(site.losses()).isEmpty();
    assertThat(site.ops()).hasSize(3);
  }

  /** All oids are others then; the one that the function knows may be that of some other table. */
  @Test
  void afterARestoreFromADumpNothingIsLostAndACommandIsNamed() throws Exception {
    site.run("CREATE TABLE unrelated (id int)");
    restore("id int PRIMARY KEY, v text, w text");

    site.run("INSERT INTO a VALUES (5, 'five', 'w')", "DELETE FROM a WHERE id = 1");

    assertThat(site.rows()).hasSize(4).allMatch(row -> row.contains("\"table\":\"public.a\""));
    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("its table was made anew, as by a restore")
        .contains(COMMAND);
    site.snapshot("a");
    site.again("a");
    assertThat(site.losses()).singleElement().asString().contains("until a snapshot");
    site.snapshot("a");
    assertThat(site.losses()).isEmpty();
  }

  @Test
  void soItIsIfColumnsAreLeftOutAndTheRestAreWhatTheyWere() throws Exception {
    site.run("CREATE TABLE unrelated (id int)");
    site.capture("a", except("w"), true);
    restore("id int PRIMARY KEY, v text, w text");

    site.run("INSERT INTO a VALUES (5, 'five', 'w')");

    assertThat(site.rows()).last().asString().contains("\"after\":{\"id\":5,\"v\":\"five\"}");
    assertThat(site.losses()).singleElement().asString().startsWith("its table was made anew");
  }

  /** Its columns have other numbers then, and their names may be those of others. */
  @Test
  void aRestoredTableIsNotCapturedIfOneOfItsLeftOutColumnsMayHaveAnotherName() throws Exception {
    site.run("CREATE TABLE unrelated (id int)");
    site.capture("a", except("w"), true);
    site.run("ALTER TABLE a RENAME w TO x");
    restore("id int PRIMARY KEY, v text, x text");
    List<String> before = site.changes();

    site.run("INSERT INTO a VALUES (5, 'five', 'secret')", "DELETE FROM a WHERE id = 1");

    assertThat(site.changes()).isEqualTo(before);
    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("public.a is another table than the one that is captured, which is gone")
        .contains(COMMAND);
    assertThat(kept.faults(KeptSite.rule("a", except("w"))))
        .as("nobody decides by names but an administrator")
        .extracting(CaptureNews::kind)
        .containsExactlyInAnyOrder(NewsKind.OTHERWISE, NewsKind.LOSING);
    assertThat(texts()).as("its triggers are not to be removed").hasSize(1);
    assertThat(triggers("a")).isEqualTo(4);

    site.capture("a", except("x"), true);
    site.snapshot("a");
    assertThat(site.losses()).isEmpty();
    assertThat(site.changes()).noneMatch(change -> change.contains("secret"));
  }

  private static CaptureOptions except(String column) {
    return new CaptureOptions(
        new ColumnChoice(List.of(), List.of(column)), null, null, OldImage.KEY);
  }

  /** The table as a dump has it, with its triggers, function and what is noted of the capture. */
  private void restore(String columns) throws Exception {
    List<String> triggers =
        site.database.query(
            "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'a'::regclass",
            row -> row.getString(1));
    long oid = site.database.number("SELECT 'a'::regclass::oid::bigint");
    long other = site.database.number("SELECT 'unrelated'::regclass::oid::bigint");
    String function =
        site.database
            .query(
                "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname LIKE"
                    + " 'capture\\_orders%'",
                row -> row.getString(1))
            .get(0);
    site.run(
        "CREATE TABLE rows AS TABLE a",
        "DROP TABLE a",
        "CREATE TABLE a (" + columns + ")",
        "INSERT INTO a TABLE rows");
    site.database.execute(function.replace("oid := " + oid, "oid := " + other));
    site.database.execute("UPDATE recorder.captures SET relation = " + other);
    site.database.execute(triggers.toArray(String[]::new));
  }

  @Test
  void capturedTablesThatSwapNamesAreCapturedAndWhatEndsTheFindingIsNamed() throws Exception {
    site.run("CREATE TABLE b (id int PRIMARY KEY, v text, w text)");
    site.capture("b");
    site.run("ALTER TABLE a RENAME TO x", "ALTER TABLE b RENAME TO a", "ALTER TABLE x RENAME TO b");

    assertThat(site.losses()).isEmpty();
    List<String> told = texts();
    assertThat(told).hasSize(2);
    assertThat(told.get(0))
        .startsWith("the table is called public.b now, and still public.a in the log")
        .contains("recorder capture remove public.b --recorder orders", "nothing is lost");
    assertThat(told.get(1))
        .startsWith("the table is called public.a now, and still public.b in the log");

    try (Captures captures = site.captures()) {
      captures.remove(CaptureSite.ORDERS, "public.b");
      captures.remove(CaptureSite.ORDERS, "public.a");
      captures.add(KeptSite.wanted("public.a"), false);
      captures.add(KeptSite.wanted("public.b"), false);
      captures.snapshot(CaptureSite.ORDERS, "public.a", false, (rows, percent) -> {});
      captures.snapshot(CaptureSite.ORDERS, "public.b", false, (rows, percent) -> {});
    }
    assertThat(texts()).isEmpty();
    site.run("INSERT INTO a VALUES (9, 'a', 'w')");
    assertThat(site.rows()).last().asString().contains("\"table\":\"public.a\"");
  }

  private List<String> texts() {
    try (Captures captures = site.captures()) {
      return captures.check().stream()
          .map(CaptureFinding::text)
          .filter(text -> !text.startsWith("nothing limits"))
          .toList();
    }
  }

  @Test
  void aCommandInAFindingIsForAShellWhateverTheName() throws Exception {
    site.run("CREATE TABLE \"it's $X\" (id int PRIMARY KEY)");
    site.capture("public.\"it's $X\"");
    site.run("DROP TABLE \"it's $X\"", "CREATE TABLE \"it's $X\" (id int PRIMARY KEY)");

    assertThat(site.losses())
        .singleElement()
        .asString()
        .contains("capture add 'public.\"it'\\''s $X\"' --recorder");
  }
}
