package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.Schema;
import dev.recorder.testing.servers.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Partitioned tables are one table in the log, whichever of theirs is written to. */
class CapturedPartitionsIT extends WithCaptureSite {
  private static final TableName MEASURE = new TableName("public", "measure");

  @BeforeEach
  void create() throws Exception {
    site.run(
        """
        CREATE TABLE measure (year int, id int, value float8, PRIMARY KEY (year, id))
          PARTITION BY RANGE (year)\
        """,
        "CREATE TABLE m_old PARTITION OF measure FOR VALUES FROM (2000) TO (2020)"
            + " PARTITION BY LIST (id)",
        "CREATE TABLE m_old_1 PARTITION OF m_old FOR VALUES IN (1)",
        "CREATE TABLE m_old_rest PARTITION OF m_old DEFAULT",
        "CREATE TABLE m_new (value float8, id int NOT NULL, year int NOT NULL)",
        "ALTER TABLE measure ATTACH PARTITION m_new FOR VALUES FROM (2020) TO (2030)");
    site.capture("measure");
  }

  @Test
  void whicheverTableIsNamedItsRowsAreThoseOfTheWhole() throws Exception {
    site.run(
        "INSERT INTO measure VALUES (2001, 1, 0.1), (2001, 2, 0.2), (2021, 1, 0.3)",
        "INSERT INTO m_old VALUES (2002, 1, 1), (2002, 3, 2)",
        "INSERT INTO m_new (year, id, value) VALUES (2022, 1, 5)",
        "UPDATE m_old_1 SET value = 7",
        "UPDATE measure SET year = 2025, value = value + 1 WHERE year = 2001",
        "DELETE FROM m_old_rest WHERE year = 2001");
    Replay.provesEqual(site, MEASURE);
    assertThat(site.rows()).allMatch(row -> row.contains("\"table\":\"public.measure\""));
  }

  @Test
  void aMergeThatMovesARowToAnotherPartitionIsFoundAndAnyOtherIsCaptured() throws Exception {
    assumeTrue(site.database.number("SHOW server_version_num") >= 150_000);
    String merge = "MERGE INTO measure t USING (VALUES (1)) s (n) ON t.year < 2020 ";
    for (String moving :
        List.of(
            merge + "WHEN MATCHED THEN UPDATE SET year = 2025",
            merge + "WHEN MATCHED AND id = 1 THEN UPDATE SET id = 3 WHEN MATCHED THEN DO NOTHING",
            merge.replace("measure", "m_old") + "WHEN MATCHED THEN UPDATE SET id = id + 10",
            merge + "WHEN MATCHED THEN UPDATE SET year = CASE id WHEN 1 THEN 2025 ELSE 2002 END",
            merge
                + "WHEN MATCHED THEN UPDATE SET year = 2025"
                + " WHEN NOT MATCHED THEN INSERT VALUES (2026, 1, 1)",
            merge
                + "WHEN MATCHED AND id = 2 THEN DELETE"
                + " WHEN MATCHED THEN UPDATE SET year = 2025")) {
      site.run(
          "DELETE FROM measure",
          "INSERT INTO measure VALUES (2001, 1, 0.1), (2001, 2, 0.2), (2021, 1, 0.3)");
      assertThat(site.losses()).as(moving).isEmpty();
      site.run(moving);
      assertThat(site.losses())
          .as(moving)
          .singleElement()
          .asString()
          .startsWith("MERGE moved rows of public.measure to other partitions")
          .contains("recorder capture add public.measure --recorder orders --again --snapshot");
      site.database.execute(
          "DELETE FROM recorder.detached_changes",
          "UPDATE recorder.captures SET stale_at = NULL, stale_why = NULL");
    }
  }

  @Test
  void aMergeThatMovesNoneIsCapturedAndSoIsAnyUpdate() throws Exception {
    assumeTrue(site.database.number("SHOW server_version_num") >= 150_000);
    site.run(
        "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NULL; END'",
        "CREATE TRIGGER refuses BEFORE INSERT ON m_new FOR EACH ROW WHEN (NEW.id = 5)"
            + " EXECUTE FUNCTION nothing()",
        "INSERT INTO measure VALUES (2001, 1, 0.1), (2001, 2, 0.2), (2021, 1, 0.3), (2001, 5, 5)",
        "MERGE INTO measure t USING (VALUES (1)) s (n) ON t.year < 2020"
            + " WHEN MATCHED AND id = 1 THEN UPDATE SET year = 2002 WHEN MATCHED AND id = 2 THEN DELETE",
        "BEGIN",
        "UPDATE measure SET year = 2025 WHERE year < 2020",
        "MERGE INTO measure t USING (VALUES (1), (7)) s (id) ON t.id = s.id"
            + " WHEN MATCHED THEN UPDATE SET value = 8"
            + " WHEN NOT MATCHED THEN INSERT VALUES (2003, s.id, 1)",
        "DELETE FROM measure WHERE year = 2021",
        "UPDATE measure SET value = 9",
        "COMMIT");
    assertThat(site.losses()).isEmpty();
    Replay.provesEqual(site, MEASURE);
  }

  @Test
  void aGeneratedColumnIsThereWhereAPartitionHasItsColumnsInOtherPlaces() throws Exception {
    site.run(
        "CREATE TABLE g (id int PRIMARY KEY, gone int, s int,"
            + " v int GENERATED ALWAYS AS (s * 2) STORED) PARTITION BY RANGE (id)",
        "ALTER TABLE g DROP gone",
        "CREATE TABLE g_1 PARTITION OF g FOR VALUES FROM (0) TO (100)");
    site.capture("g");
    site.run(
        "CREATE TABLE g_2 PARTITION OF g FOR VALUES FROM (100) TO (200)",
        "INSERT INTO g (id, s) VALUES (1, 5), (101, 6)",
        "UPDATE g SET id = 102, s = 7 WHERE id = 1");
    assertThat(site.rows().toString()).contains("\"v\":10", "\"v\":12", "\"v\":14");
  }

  @Test
  void triggersForEachRowThatAreMissingAreNamedAndMadeAgainAndGoWithTheCapture() throws Exception {
    String rows = "SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'zz\\_recorder%'";
    boolean hasMerge = site.database.number("SHOW server_version_num") >= 150_000;
    assertThat(site.database.number(rows)).isEqualTo(hasMerge ? 10 : 5);
    site.run("DROP TRIGGER zz_recorder_orders_values ON measure");
    try (Captures captures = site.captures()) {
      assertThat(captures.check())
          .anyMatch(f -> f.losesChanges() && f.text().contains("not all triggers"));
      site.capture("measure", OldImage.KEY, true);
      assertThat(captures.check()).noneMatch(f -> f.text().startsWith("table public"));
      captures.remove(CaptureSite.ORDERS, "measure");
    }
    assertThat(site.database.number(rows)).isZero();
  }

  /** As after a bulk load, when those that a finding named were enabled one by one. */
  @Test
  void soAreThoseThatAreDisabledOnTheTableOrOnAPartition() throws Exception {
    site.run("ALTER TABLE ONLY measure DISABLE TRIGGER zz_recorder_orders_values");
    lacksTriggersOfRows();
    site.capture("measure", OldImage.KEY, true);
    assertThat(losses()).singleElement().asString().contains("until a snapshot");
    site.snapshot("measure");
    assertThat(losses()).isEmpty();

    String last =
        site.database.number("SHOW server_version_num") < 150_000
            ? "zz_recorder_orders_values"
            : "zz_recorder_orders_moves";
    site.run("ALTER TABLE m_new ENABLE REPLICA TRIGGER " + last);
    lacksTriggersOfRows();
    site.run("ALTER TABLE m_new ENABLE ALWAYS TRIGGER " + last);
    assertThat(losses()).singleElement().asString().contains("until a snapshot");
  }

  private void lacksTriggersOfRows() {
    assertThat(losses())
        .singleElement()
        .asString()
        .startsWith("table public.measure, or a partition of it, has not all triggers for each row")
        .contains("--again --snapshot");
  }

  private List<String> losses() {
    try (Captures captures = site.captures()) {
      return captures.check().stream()
          .filter(CaptureFinding::losesChanges)
          .map(CaptureFinding::text)
          .toList();
    }
  }

  @Test
  void aTruncateOfTheWholeIsWrittenOnceAndOneOfAPartSaysWhich() throws Exception {
    String fill =
        "INSERT INTO measure SELECT y, i, 0 FROM generate_series(2015, 2024) y,"
            + " generate_series(1, 3) i";
    site.run(fill, "TRUNCATE measure", fill, "TRUNCATE m_old_1", "TRUNCATE m_old, m_new", fill);
    List<String> truncates = site.rows().stream().filter(row -> row.contains("truncate")).toList();
    assertThat(truncates).hasSize(4);
    assertThat(truncates.get(0)).isEqualTo("{\"op\":\"truncate\",\"table\":\"public.measure\"}");
    assertThat(truncates.get(1)).contains("\"where\":\"").contains("(id = 1)");
    Replay.provesEqual(site, MEASURE);

    site.run(
        "BEGIN",
        "TRUNCATE measure",
        "INSERT INTO m_new VALUES (1, 1, 2020)",
        "INSERT INTO m_old VALUES (2015, 1, 1)",
        "TRUNCATE m_new",
        "COMMIT");
    Replay.provesEqual(site, MEASURE);
  }

  @Test
  void whatIsTruncatedAgainAfterARollbackIsWrittenAgain() throws Exception {
    site.run(
        "CREATE TABLE part (id int PRIMARY KEY) PARTITION BY RANGE (id)",
        "CREATE TABLE p_1 PARTITION OF part FOR VALUES FROM (1) TO (2)",
        "CREATE TABLE p_2 PARTITION OF part FOR VALUES FROM (2) TO (3) PARTITION BY LIST (id)",
        "CREATE TABLE p_2_2 PARTITION OF p_2 FOR VALUES IN (2)");
    site.capture("part");
    String fill = "INSERT INTO part VALUES (1), (2)";

    site.run("BEGIN", fill, "SAVEPOINT s", "TRUNCATE part", "ROLLBACK TO s", "TRUNCATE p_1, p_2");
    site.run("COMMIT", "BEGIN", fill, "TRUNCATE part", fill, "TRUNCATE part", fill);
    site.run("TRUNCATE p_1", "COMMIT");

    assertThat(site.rows())
        .filteredOn(row -> row.contains("truncate"))
        .extracting(row -> row.contains("where"))
        .containsExactly(true, true, false, false, true);
  }

  @Test
  void aHashPartitionCannotBeTruncatedAlone() throws Exception {
    hashed();
    site.capture("hashed");
    site.run("INSERT INTO hashed SELECT generate_series(1, 9)");
    assertThatThrownBy(() -> site.run("TRUNCATE hashed_0"))
        .hasMessageContaining("hash partition public.hashed_0 cannot be truncated alone");
    site.run("TRUNCATE hashed");
    assertThat(site.ops()).hasSize(10).endsWith("truncate");
  }

  @Test
  void aTruncateOfTheWholeIsWrittenOnceInEachOfTwoLogs() throws Exception {
    RecorderName history = new RecorderName("history");
    HandoffTable table = new HandoffTable(history, RecorderKind.LOG, 16 << 20);
    site.database.execute(
        new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, List.of(table)));
    hashed();
    List<RecorderName> logs = List.of(CaptureSite.ORDERS, history);
    try (Captures captures = site.captures()) {
      for (RecorderName log : logs) {
        captures.add(new Captures.WantedCapture(log, "hashed", CaptureOptions.USUAL), false);
      }
    }

    site.run("INSERT INTO hashed SELECT generate_series(1, 9)", "TRUNCATE hashed");
    for (RecorderName log : logs) {
      assertThat(
              site.database.number(
                  "SELECT count(*) FROM handoff."
                      + log
                      + " WHERE payload->>'op' = 'truncate' AND payload->>'where' IS NULL"))
          .isEqualTo(1);
    }
  }

  @Test
  void rowsThatATriggerPutsThereAfterATruncateStay() throws Exception {
    hashed();
    site.capture("hashed");
    site.run(
        """
        CREATE FUNCTION seed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF TG_RELNAME = 'hashed' THEN INSERT INTO public.hashed SELECT generate_series(5, 12);
          ELSE INSERT INTO public.measure VALUES (2001, 1, 5), (2001, 2, 5), (2021, 1, 5); END IF;
          RETURN NULL;
        END $$""",
        "CREATE TRIGGER seed AFTER TRUNCATE ON measure EXECUTE FUNCTION seed()",
        "CREATE TRIGGER seed AFTER TRUNCATE ON hashed EXECUTE FUNCTION seed()",
        "INSERT INTO measure VALUES (2001, 1, 1), (2021, 7, 1)",
        "INSERT INTO hashed SELECT generate_series(1, 9)",
        "TRUNCATE measure",
        "TRUNCATE hashed",
        "BEGIN",
        "TRUNCATE measure, hashed",
        "TRUNCATE m_old",
        "COMMIT");

    Replay.provesEqual(site, MEASURE);
    Replay.provesEqual(site, new TableName("public", "hashed"));
  }

  @Test
  void whatOtherTablesAreToldOfInBetweenMakesNoSecondTruncate() throws Exception {
    hashed();
    site.run("CREATE TABLE audit (n serial PRIMARY KEY, what text)");
    site.capture("hashed");
    site.capture("audit");
    site.run(
        """
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO public.audit (what) VALUES (TG_WHEN);
          RETURN NULL;
        END $$""",
        "CREATE TRIGGER before_it BEFORE TRUNCATE ON hashed EXECUTE FUNCTION note()",
        "CREATE TRIGGER behind_it AFTER TRUNCATE ON hashed EXECUTE FUNCTION note()",
        "INSERT INTO hashed SELECT generate_series(1, 9)",
        "TRUNCATE hashed");

    assertThat(site.ops()).hasSize(12).endsWith("truncate", "insert", "insert");
    Replay.provesEqual(site, new TableName("public", "hashed"));
  }

  /** Which the server stores, and fails to take apart. */
  @Test
  void aProducersRowThatIsNoTextToTheServerFailsNoTruncate() throws Exception {
    site.database.execute(
        "GRANT USAGE ON SCHEMA handoff TO " + CaptureSite.APPLICATION,
        "GRANT INSERT (key, payload) ON handoff.orders TO " + CaptureSite.APPLICATION);

    site.run(
        "BEGIN",
        "INSERT INTO measure VALUES (2001, 1, 1)",
        "INSERT INTO handoff.orders (payload) VALUES ('{\"by\":\"\\u0000\",\"x\":\"\\ud800\"}')",
        "TRUNCATE measure",
        "TRUNCATE m_new",
        "COMMIT");

    assertThat(
            site.database.number(
                "SELECT count(*) FROM handoff.orders WHERE payload::text LIKE '%\"truncate\"%'"))
        .isEqualTo(1);
  }

  private void hashed() throws Exception {
    site.run(
        "CREATE TABLE hashed (id int PRIMARY KEY) PARTITION BY HASH (id)",
        "CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0)",
        "CREATE TABLE hashed_1 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1)");
  }

  @Test
  void aNewPartitionIsFoundAndCapturedWhenItIsSetUpAgain() throws Exception {
    site.run("CREATE TABLE m_late PARTITION OF measure FOR VALUES FROM (2030) TO (2040)");
    try (Captures captures = site.captures()) {
      assertThat(captures.check())
          .filteredOn(CaptureFinding::losesChanges)
          .extracting(CaptureFinding::text)
          .containsExactly(
              "partition public.m_late is not captured when it is written to itself:"
                  + " add the capture with --again");
      captures.add(
          new Captures.WantedCapture(CaptureSite.ORDERS, "measure", CaptureOptions.USUAL), true);
      assertThat(captures.check()).filteredOn(CaptureFinding::losesChanges).isEmpty();
    }
    site.run("INSERT INTO measure VALUES (2031, 1, 1)");
    site.run("INSERT INTO m_late VALUES (2032, 1, 1)");
    Replay.provesEqual(site, MEASURE);
  }
}
