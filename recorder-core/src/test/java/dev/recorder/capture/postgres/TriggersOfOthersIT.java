package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.CaptureNews.NewsKind;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Triggers of the application that change rows before the capture has told their statement. */
class TriggersOfOthersIT extends WithKeptSite {
  private static final String MERGE = "of a MERGE on it";

  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE TABLE item (id int PRIMARY KEY, v int, up int REFERENCES item ON DELETE CASCADE)",
        "CREATE TABLE item_log (id int)",
        """
        CREATE FUNCTION doubles() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF pg_trigger_depth() = 1 THEN
            UPDATE public.item SET v = v * 2 WHERE id IN (SELECT id FROM new_rows);
          END IF;
          RETURN NULL;
        END $$""",
        """
        CREATE FUNCTION raises() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          update only "item" SET v = v + 1 WHERE id = NEW.id AND v < 3;
          RETURN NULL;
        END $$""",
        """
        CREATE FUNCTION notes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO item_log VALUES (1);
          UPDATE item_log SET id = (SELECT max(id) FROM item);
          RETURN NULL;
        END $$""");
  }

  private List<CaptureFinding> findings() {
    try (Captures captures = site.captures()) {
      return withoutMerge(captures.check());
    }
  }

  /** The table refers to itself. */
  private static List<CaptureFinding> withoutMerge(List<CaptureFinding> findings) {
    return findings.stream().filter(each -> !each.text().contains(MERGE)).toList();
  }

  @Test
  void ofATableThatRefersToItselfAMergeIsNotCaptured() throws Exception {
    assumeTrue(site.database.number("SHOW server_version_num") >= 150_000);
    site.run("CREATE TABLE flat (id int PRIMARY KEY, up int REFERENCES flat)");
    site.capture("flat");
    site.capture("item");
    site.run(
        "INSERT INTO item VALUES (1, 8), (2, 3)",
        "MERGE INTO item t USING (VALUES (8)) s (v) ON t.v = s.v WHEN MATCHED THEN DELETE");
    assertThat(site.ops()).as("the server tells what the foreign key did").containsOnly("insert");

    try (Captures captures = site.captures()) {
      assertThat(captures.check())
          .filteredOn(each -> each.text().contains(MERGE))
          .extracting(CaptureFinding::table)
          .containsExactly("public.item");
    }
  }

  private void each(String name, String table, String does) throws Exception {
    site.run(
        "CREATE TRIGGER \"%s\" AFTER INSERT ON %s FOR EACH ROW EXECUTE FUNCTION %s()"
            .formatted(name, table, does));
  }

  @Test
  void oneThatComesBeforeTheCapturesIsNamedUntilItIsRenamed() throws Exception {
    site.run(
        "CREATE TRIGGER \"00_doubles\" AFTER INSERT ON item REFERENCING NEW TABLE AS new_rows"
            + " EXECUTE FUNCTION doubles()");
    site.capture("item");
    site.run("INSERT INTO item VALUES (1, 10)");
    assertThat(site.ops()).containsExactly("update", "insert");

    String remedy = "ALTER TRIGGER \"00_doubles\" ON public.item RENAME TO zz_00_doubles";
    CaptureFinding finding =
        new CaptureFinding(
            "orders",
            "public.item",
            false,
            "trigger \"00_doubles\" on public.item comes before those of the capture by its name: if"
                + " it changes rows of the statement that fires it, the log has that before the"
                + " statement, and copies keep the rows as they were: "
                + remedy
                + "; then recorder capture snapshot public.item --recorder orders");
    assertThat(findings()).containsExactly(finding);
    try (Captures captures = site.captures()) {
      assertThat(withoutMerge(captures.warnings(CaptureSite.ORDERS, "public.item")))
          .containsExactly(finding);
    }
    assertThat(kept.look()).extracting(CaptureNews::kind).containsOnly(NewsKind.REMARK);

    site.run(remedy, "INSERT INTO item VALUES (2, 10)");
    assertThat(findings()).isEmpty();
    assertThat(site.ops()).containsExactly("update", "insert", "insert", "update");
  }

  @Test
  void oneForEachRowIsNamedIfItsFunctionChangesTheTable() throws Exception {
    each("notes", "item", "notes");
    each("raises", "item", "raises");
    site.capture("item");
    site.run("INSERT INTO item VALUES (1, 1)");
    assertThat(site.ops()).containsExactly("update", "insert");

    assertThat(findings())
        .singleElement()
        .extracting(CaptureFinding::text)
        .asString()
        .startsWith("trigger raises on public.item is for each row, and its function changes that")
        .contains("change NEW in a BEFORE trigger");

    site.run("ALTER TABLE item DISABLE TRIGGER raises");
    assertThat(findings()).isEmpty();
  }

  @Test
  void soIsOneWhoseInsertBecomesAnUpdate() throws Exception {
    site.run(
        """
        CREATE FUNCTION puts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO item AS i VALUES (NEW.id, 1)
          ON CONFLICT (id)
          DO UPDATE SET v = i.v + 1;
          RETURN NULL; END $$\
        """,
        """
        CREATE FUNCTION adds() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO item VALUES (-NEW.id, 1) ON CONFLICT DO NOTHING; RETURN NULL; END $$\
        """);
    each("puts", "item", "puts");
    each("adds", "item", "adds");
    site.capture("item");

    assertThat(findings())
        .singleElement()
        .extracting(CaptureFinding::text)
        .asString()
        .startsWith("trigger puts on public.item is for each row, and its function changes that");
  }

  @Test
  void soIsOneBeforeEachRowThatChangesOthersOfTheStatement() throws Exception {
    site.run(
        """
        CREATE FUNCTION lowers_others() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          UPDATE public.item SET v = 0 WHERE id <> NEW.id; RETURN NEW;
        END $$""",
        "CREATE TRIGGER lowers BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION lowers_others()");
    site.capture("item");
    site.run("INSERT INTO item VALUES (1, 1), (2, 1)");
    assertThat(site.ops()).as("in the wrong order").containsExactly("update", "insert", "insert");

    assertThat(findings())
        .singleElement()
        .extracting(CaptureFinding::text)
        .asString()
        .startsWith("trigger lowers on public.item is for each row")
        .contains("other rows in an AFTER trigger for each statement with a name behind");
  }

  @Test
  void thoseOfPartitionsAreNamedOnce() throws Exception {
    site.run(
        "CREATE TABLE parts (LIKE item) PARTITION BY LIST (id)",
        "CREATE TABLE part_1 PARTITION OF parts (PRIMARY KEY (id)) FOR VALUES IN (1)",
        "CREATE TABLE \"part 2\" PARTITION OF parts (PRIMARY KEY (id)) FOR VALUES IN (2)",
        "ALTER TABLE parts ADD PRIMARY KEY (id)",
        """
        CREATE FUNCTION moves() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          DELETE FROM public."part 2" WHERE id = NEW.id; RETURN NULL; END $$""",
        """
        CREATE FUNCTION lowers() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          UPDATE parts SET v = v - 1; RETURN NULL; END $$""",
        "CREATE TRIGGER \"0\" AFTER DELETE ON part_1 EXECUTE FUNCTION notes()");
    each("moves", "\"part 2\"", "moves");
    each("lowers", "parts", "lowers");
    site.capture("parts");

    assertThat(findings())
        .extracting(finding -> finding.text().replaceAll(" (comes|is) .*", ""))
        .containsExactly(
            "trigger \"0\" on public.part_1",
            "trigger lowers on public.parts",
            "trigger moves on public.\"part 2\"");
  }

  /** Its change is logged before that of the cascade, which the server tells last. */
  @Test
  void oneOfAReferencedTableIsNamedIfItChangesTheTableAndAForeignKeyDoesSoToo() throws Exception {
    site.run(
        "CREATE TABLE top (id int PRIMARY KEY)",
        "CREATE TABLE middle (id int PRIMARY KEY REFERENCES top ON DELETE CASCADE)",
        "CREATE TABLE ship (id int PRIMARY KEY, m int REFERENCES middle ON DELETE SET NULL, v int)",
        """
        CREATE FUNCTION orphans() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          UPDATE public.ship SET v = 0 WHERE m IS NULL AND v > 0; RETURN NULL; END $$""",
        "CREATE TRIGGER zz_orphans AFTER DELETE ON middle EXECUTE FUNCTION orphans()",
        "CREATE TRIGGER orphans AFTER DELETE ON top FOR EACH ROW EXECUTE FUNCTION orphans()");
    site.capture("ship");
    site.run(
        "INSERT INTO top VALUES (1), (2)",
        "INSERT INTO middle VALUES (1), (2)",
        "INSERT INTO ship VALUES (1, 1, 7), (2, 2, 7)",
        "DELETE FROM middle WHERE id = 1");
    assertThat(site.database.number("SELECT v FROM ship WHERE id = 1")).isZero();
    assertThat(site.database.query(LAST, row -> row.getString(1)))
        .as("the state before")
        .containsExactly("7");

    assertThat(findings())
        .extracting(CaptureFinding::text)
        .satisfiesExactly(
            text ->
                assertThat(text)
                    .isEqualTo(
                        "trigger orphans on public.top changes public.ship, of which foreign keys"
                            + " change rows by the same statement: the log has that before, and"
                            + " copies keep the rows as they were: let a trigger of public.ship do"
                            + " it, for each statement and with a name behind 00_recorder_, or one"
                            + " that is INITIALLY DEFERRED; then recorder capture snapshot"
                            + " public.ship --recorder orders"),
            text -> assertThat(text).startsWith("trigger zz_orphans on public.middle changes"));

    site.run(
        "DROP TRIGGER orphans ON top",
        "ALTER TABLE ship DROP CONSTRAINT ship_m_fkey, ADD FOREIGN KEY (m) REFERENCES middle");
    assertThat(findings()).as("without an action").isEmpty();
  }

  private static final String LAST =
      """
      SELECT payload -> 'after' ->> 'v' FROM handoff.orders
      WHERE payload -> 'key' ->> 'id' = '1' ORDER BY (payload ->> 'seq')::bigint DESC LIMIT 1
      """;

  /** The server does not repeat the triggers for the DELETE behind the UPDATE of a cascade. */
  @Test
  void oneOfTheTableItselfIsNamedIfAnUpdateOfItsOwnRowsFollowsADelete() throws Exception {
    site.run(
        """
        CREATE FUNCTION frees() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          UPDATE public.item SET v = 0 WHERE up IS NULL; RETURN NULL; END $$""",
        "CREATE TRIGGER zz_frees AFTER DELETE ON item EXECUTE FUNCTION frees()");
    site.capture("item");
    assertThat(findings()).as("a cascade of deletes").isEmpty();

    site.run(
        "ALTER TABLE item DROP CONSTRAINT item_up_fkey,"
            + " ADD FOREIGN KEY (up) REFERENCES item ON DELETE SET NULL");

    assertThat(findings())
        .singleElement()
        .extracting(CaptureFinding::text)
        .asString()
        .startsWith("trigger zz_frees on public.item changes public.item, of which foreign keys");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "b|ON DELETE SET DEFAULT||true",
        "b|ON DELETE SET NULL||true",
        "b|ON UPDATE CASCADE||false",
        "v|ON DELETE SET NULL||false",
        "v|ON DELETE SET NULL|v IS NULL|true"
      })
  void foreignKeysThatDeleteRowsAndSuchThatMoveThemAreNamed(
      String column, String action, @Nullable String when, boolean isNamed) throws Exception {
    site.run(
        "CREATE TABLE parent (id int PRIMARY KEY)",
        "CREATE TABLE child (b int DEFAULT 0 PRIMARY KEY, a int REFERENCES parent ON DELETE"
            + " CASCADE, v int)",
        "ALTER TABLE child ADD FOREIGN KEY (%s) REFERENCES parent %s".formatted(column, action));
    site.capture("child", new CaptureOptions(ColumnChoice.ALL, when, null, OldImage.KEY));

    if (isNamed) {
      assertThat(findings())
          .singleElement()
          .extracting(CaptureFinding::text)
          .asString()
          .startsWith("a DELETE of public.parent deletes rows by foreign keys, and by others it")
          .endsWith("; then recorder capture snapshot public.child --recorder orders");
    } else {
      assertThat(findings()).isEmpty();
    }
  }

  private static final String MOVED =
      "MERGE INTO parted t USING (VALUES (1)) s (i) ON t.id = s.i WHEN MATCHED THEN UPDATE SET v = 7";

  /** What it makes of a row is seen by no trigger whose name comes before. */
  @Test
  void oneThatMovesRowsBehindThatWhichCountsThemIsNamedAndCountedUnderAnotherName()
      throws Exception {
    assumeTrue(site.database.number("SHOW server_version_num") >= 150_000);
    site.run(
        "CREATE TABLE parted (id int, y int, v int, PRIMARY KEY (id, y)) PARTITION BY LIST (y)",
        "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1)",
        "CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2)",
        """
        CREATE FUNCTION moves() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          NEW.y := 2; RETURN NEW; END $$""",
        "CREATE TRIGGER zzz BEFORE UPDATE ON parted FOR EACH ROW EXECUTE FUNCTION moves()");
    site.capture("parted");
    assertThat(findings())
        .singleElement()
        .extracting(CaptureFinding::text)
        .isEqualTo(
            "trigger zzz on public.parted comes behind zz_recorder_orders_moves by its name: a row"
                + " that MERGE moves to another partition because of it is not captured, and"
                + " nothing finds it: ALTER TRIGGER zzz ON public.parted RENAME TO a_zzz; then"
                + " recorder capture snapshot public.parted --recorder orders");

    site.run(
        "ALTER TRIGGER zzz ON parted RENAME TO a_zzz",
        "INSERT INTO parted VALUES (1, 1, 1)",
        MOVED);

    assertThat(findings())
        .singleElement()
        .extracting(CaptureFinding::text)
        .asString()
        .startsWith("MERGE moved rows of public.parted");
  }

  @Test
  void soIsOneOfAPartitionButNoneThatChangesNoRow() throws Exception {
    assumeTrue(site.database.number("SHOW server_version_num") >= 150_000);
    site.run(
        "CREATE TABLE parted (id int, y int, PRIMARY KEY (id, y)) PARTITION BY LIST (y)",
        "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1)",
        "CREATE TRIGGER zzz BEFORE INSERT OR UPDATE ON parted_1 FOR EACH ROW EXECUTE FUNCTION"
            + " notes()",
        "CREATE TRIGGER zzy BEFORE INSERT OR DELETE ON parted FOR EACH ROW EXECUTE FUNCTION notes()",
        "CREATE TRIGGER zzx AFTER UPDATE ON parted FOR EACH ROW EXECUTE FUNCTION notes()",
        "CREATE TRIGGER zzw BEFORE UPDATE ON parted EXECUTE FUNCTION notes()",
        "CREATE TRIGGER zy BEFORE UPDATE ON parted FOR EACH ROW EXECUTE FUNCTION notes()",
        "CREATE TRIGGER zzz BEFORE UPDATE ON item FOR EACH ROW EXECUTE FUNCTION notes()",
        "GRANT SELECT ON parted, parted_1 TO recorder_reader");
    site.capture("parted");
    site.capture("item");
    site.captureEntities("parted", "id");

    assertThat(findings())
        .extracting(CaptureFinding::recorder, each -> each.text().replaceAll(" comes .*", ""))
        .containsExactly(
            tuple("accounts", "trigger zzz on public.parted_1"),
            tuple("orders", "trigger zzz on public.parted_1"));
  }

  @Test
  void othersAreNotNamed() throws Exception {
    site.run(
        "CREATE TRIGGER \"0 before\" BEFORE INSERT OR UPDATE OR DELETE ON item EXECUTE FUNCTION"
            + " notes()",
        "CREATE TRIGGER \"0 truncate\" AFTER TRUNCATE ON item EXECUTE FUNCTION notes()",
        "CREATE TRIGGER later AFTER INSERT ON item EXECUTE FUNCTION notes()",
        "CREATE CONSTRAINT TRIGGER \"0 deferred\" AFTER INSERT ON item INITIALLY DEFERRED FOR EACH"
            + " ROW EXECUTE FUNCTION raises()");
    site.capture("item");
    site.captureEntities("item", "id");
    site.run("CREATE TABLE entity (id int PRIMARY KEY)");
    site.run("CREATE TRIGGER \"0\" AFTER INSERT ON entity EXECUTE FUNCTION notes()");
    site.captureEntities("entity", "id");

    assertThat(findings()).isEmpty();
  }
}
