package dev.recorder.capture.postgres;

import static dev.recorder.capture.postgres.CaptureNews.NewsKind.ARMED;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.DISARMED;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.LOSING;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.REMARK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.catalog.Capture;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Partitions that are detached: they keep the triggers, and are no part of the capture. */
class PinnedCapturesIT extends WithKeptSite {
  private static final TableName M = new TableName("public", "m");

  @BeforeEach
  void create() throws Exception {
    kept.mayTrigger();
    // The oid of the partition is the lower one.
    site.run(
        "CREATE TABLE m1 (id int, y int, PRIMARY KEY (id, y))",
        "CREATE TABLE m (id int, y int, PRIMARY KEY (id, y)) PARTITION BY RANGE (y)",
        "ALTER TABLE m ATTACH PARTITION m1 FOR VALUES FROM (1) TO (2)",
        "CREATE TABLE m2 PARTITION OF m FOR VALUES FROM (2) TO (5) PARTITION BY RANGE (y)",
        "CREATE TABLE m2_1 PARTITION OF m2 FOR VALUES FROM (2) TO (3)");
    site.capture("m");
    site.run("INSERT INTO m VALUES (1, 1), (2, 2)");
  }

  private List<String> findings(boolean losesChanges) {
    try (Captures captures = site.captures()) {
      return captures.check().stream()
          .filter(finding -> finding.losesChanges() == losesChanges)
          .map(CaptureFinding::text)
          .toList();
    }
  }

  private long triggers(String table) throws SQLException {
    return site.database.number(
        "SELECT count(*) FROM pg_trigger WHERE tgname LIKE '00%' AND tgrelid = '"
            + table
            + "'::regclass");
  }

  @Test
  void whatBecomesOfADetachedPartitionIsNotInTheLog() throws Exception {
    site.run("ALTER TABLE m DETACH PARTITION m1");
    List<String> before = site.changes();

    site.run(
        "INSERT INTO m1 VALUES (3, 1)",
        "UPDATE m1 SET id = 4 WHERE id = 3",
        "DELETE FROM m1",
        "TRUNCATE m1");

    assertThat(site.changes()).isEqualTo(before);
    assertThat(findings(true)).isEmpty();
    assertThat(findings(false))
        .singleElement()
        .asString()
        .startsWith(
            "table public.m1 has triggers of this capture and is no part of it: they do nothing")
        .contains("DROP TRIGGER \"00_recorder_orders_insert\" ON public.m1")
        .endsWith(
            "copies keep its rows until recorder capture snapshot public.m --recorder orders");
  }

  @Test
  void oneThatWasChangedWhileItWasDetachedIsFoundUntilASnapshot() throws Exception {
    String again = "ALTER TABLE m ATTACH PARTITION m1 FOR VALUES FROM (1) TO (2)";
    site.run("ALTER TABLE m DETACH PARTITION m1", again);
    assertThat(findings(true)).isEmpty();

    site.run(
        "ALTER TABLE m DETACH PARTITION m1",
        "INSERT INTO m1 VALUES (3, 1)",
        "DELETE FROM m1 WHERE id = 1",
        again);
    assertThat(site.database.number("SELECT count(*) FROM recorder.detached_changes")).isEqualTo(1);
    assertThat(findings(true))
        .containsExactly(
            "partition public.m1 was detached, changed and attached again, and what was changed"
                + " meanwhile is not captured: run recorder capture add public.m --recorder orders"
                + " --again --snapshot, with the options of the capture");
    assertThat(kept.look())
        .extracting(CaptureNews::kind, CaptureNews::about)
        .containsExactly(tuple(LOSING, "public.m"));

    try (Captures captures = site.captures()) {
      captures.add(KeptSite.wanted("m"), true);
      assertThat(findings(true))
          .singleElement()
          .asString()
          .contains("until a snapshot: run recorder capture snapshot");
      captures.snapshot(CaptureSite.ORDERS, "m", false, (rows, percent) -> {});
    }
    assertThat(findings(true)).isEmpty();
    site.run("INSERT INTO m1 VALUES (4, 1)");
    assertThat(site.ops()).endsWith("insert");
  }

  @Test
  void whoChangesADetachedOneWaitsForNobodyWhoDoesSoToo() throws Exception {
    site.run("ALTER TABLE m DETACH PARTITION m1", "BEGIN", "INSERT INTO m1 VALUES (3, 1)");
    try (Connection other = site.connect();
        Statement statement = other.createStatement()) {
      statement.execute("SET lock_timeout = '1s'");
      statement.execute("INSERT INTO m1 VALUES (4, 1)");
    }
    site.run("COMMIT");

    assertThat(site.database.number("SELECT count(*) FROM recorder.detached_changes")).isEqualTo(2);
    site.remove("m");
    site.capture("m");
    assertThat(site.database.number("SELECT count(*) FROM recorder.detached_changes")).isZero();
  }

  @Test
  void copiesKeepTheRowsOfADroppedOneUntilASnapshot() throws Exception {
    site.run("DROP TABLE m1");
    assertThat(findings(true)).isEmpty();
    assertThat(findings(false)).containsExactly(gone(1));
    assertThat(kept.look())
        .extracting(CaptureNews::kind, CaptureNews::text)
        .containsExactly(tuple(REMARK, gone(1)));

    site.snapshot("m");
    assertThat(findings(false)).isEmpty();

    site.run(
        "CREATE TABLE m3 PARTITION OF m FOR VALUES FROM (8) TO (9)",
        "DROP TABLE m2",
        "INSERT INTO m VALUES (8, 8)");
    assertThat(findings(false)).containsExactly(gone(1));
    site.again("m");
    assertThat(findings(false)).containsExactly(gone(1));
    site.run("DROP TABLE m3");
    assertThat(findings(false)).containsExactly(gone(2));
    site.snapshot("m");
    assertThat(findings(false)).isEmpty();
  }

  @Test
  void soTheyDoOfATableWithoutAKey() throws Exception {
    site.run(
        "CREATE TABLE k (y int) PARTITION BY LIST (y)",
        "CREATE TABLE k1 PARTITION OF k FOR VALUES IN (1)",
        "CREATE TABLE k2 PARTITION OF k FOR VALUES IN (2)");
    site.capture("k", OldImage.ALL);

    for (String dropped : List.of("k1", "k2")) {
      site.run("DROP TABLE " + dropped);
      assertThat(findings(false)).singleElement().asString().startsWith("of its partitions 1 were");
      site.snapshot("k");
      assertThat(findings(false)).isEmpty();
    }
  }

  private static String gone(int partitions) {
    return "of its partitions "
        + partitions
        + " were dropped or detached, and copies keep their rows until recorder capture snapshot"
        + " public.m --recorder orders";
  }

  @Test
  void soItIsOfAWholeTreeThatIsDetached() throws Exception {
    site.run("ALTER TABLE m DETACH PARTITION m2");
    List<String> before = site.changes();

    site.run("TRUNCATE m2", "INSERT INTO m2 VALUES (3, 2)", "DELETE FROM m2_1");

    assertThat(site.changes()).isEqualTo(before);
    assertThat(findings(false)).hasSize(2);
  }

  @Test
  void aPartitionThatMovesToAnotherTableIsTheOthers() throws Exception {
    site.run(
        "ALTER TABLE m DETACH PARTITION m1",
        "CREATE TABLE other (id int, y int, PRIMARY KEY (id, y)) PARTITION BY RANGE (y)",
        "ALTER TABLE other ATTACH PARTITION m1 FOR VALUES FROM (1) TO (2)",
        "DELETE FROM m1",
        "TRUNCATE other");
    assertThat(site.ops()).containsExactly("insert", "insert");

    site.capture("other");
    site.run("INSERT INTO m1 VALUES (5, 1)");

    assertThat(site.rows()).last().asString().contains("\"table\":\"public.other\"");
    assertThat(findings(true)).isEmpty();
    assertThat(findings(false)).containsExactly(gone(1));
  }

  /** After a restore from a dump the table of the name has triggers of the capture itself. */
  @Test
  void aPartitionOfADroppedTableIsNotTakenForTheNextOneOfThatName() throws Exception {
    site.run(
        "ALTER TABLE m DETACH PARTITION m1",
        "DROP TABLE m",
        "CREATE TABLE m (id int, y int, PRIMARY KEY (id, y)) PARTITION BY RANGE (y)",
        "ALTER TABLE m ATTACH PARTITION m1 FOR VALUES FROM (1) TO (2)");
    List<String> before = site.changes();

    site.run("INSERT INTO m1 VALUES (3, 1)", "UPDATE m1 SET id = 4 WHERE id = 3", "TRUNCATE m1");

    assertThat(site.changes()).isEqualTo(before);
    assertThat(findings(true))
        .singleElement()
        .asString()
        .startsWith("public.m is another table than the one that is captured, which is gone");
  }

  @Test
  void aSnapshotReadsNothingOfItAndNewPartitionsAreArmed() throws Exception {
    site.run(
        "ALTER TABLE m DETACH PARTITION m1",
        "DELETE FROM m2",
        "INSERT INTO m1 VALUES (7, 1)",
        "CREATE SCHEMA archive",
        "ALTER TABLE m1 SET SCHEMA archive",
        "CREATE TABLE m3 PARTITION OF m FOR VALUES FROM (8) TO (9)",
        "INSERT INTO m VALUES (8, 8)");

    assertThat(kept.faults())
        .extracting(CaptureNews::kind, CaptureNews::about)
        .contains(tuple(ARMED, "public.m3"));
    site.snapshot("m");

    assertThat(site.rows())
        .filteredOn(row -> row.contains("\"op\":\"snapshot\""))
        .singleElement()
        .asString()
        .contains("\"after\":{\"id\":8,\"y\":8}");
    try (Captures captures = site.captures()) {
      assertThat(captures.list()).singleElement().extracting(Capture::table).isEqualTo(M);
    }
  }

  @Test
  void theHostTakesTriggersOffTablesThatItOwnsAndNamesOthers() throws Exception {
    site.run("ALTER TABLE m DETACH PARTITION m1");
    assertThat(kept.look())
        .extracting(CaptureNews::kind, CaptureNews::about)
        .containsExactly(tuple(REMARK, "public.m"));
    assertThat(triggers("m1")).isEqualTo(4);

    site.database.execute("ALTER TABLE m1 OWNER TO " + TestDatabase.ROLE);
    assertThat(kept.look()).extracting(CaptureNews::kind).containsExactly(DISARMED);

    assertThat(triggers("m1")).isZero();
    assertThat(kept.look()).extracting(CaptureNews::text).containsExactly(gone(1));
    site.run("INSERT INTO m VALUES (9, 2)", "INSERT INTO m2_1 VALUES (10, 2)");
    assertThat(site.ops()).hasSize(4);
  }

  @Test
  void settingItUpAgainTakesThemOffToo() throws Exception {
    site.run("ALTER TABLE m DETACH PARTITION m1");
    site.again("m");
    assertThat(triggers("m1")).isZero();
    assertThat(triggers("m2_1")).isEqualTo(4);
  }

  @Test
  void itEndsWithTheCapture() throws Exception {
    site.run("ALTER TABLE m DETACH PARTITION m1");
    site.remove("m");
    assertThat(triggers("m1")).isZero();
    assertThat(site.database.number("SELECT count(*) FROM recorder.captures")).isZero();
  }

  @Test
  void nothingOfItAsksForDocuments() throws Exception {
    site.run(
        "CREATE TABLE d (id int, y int, PRIMARY KEY (id, y)) PARTITION BY RANGE (y)",
        "CREATE TABLE d1 PARTITION OF d FOR VALUES FROM (1) TO (2)",
        "GRANT SELECT ON d, d1 TO recorder_capture");
    site.captureEntities("d", "id");
    site.run("INSERT INTO d VALUES (1, 1), (2, 1)");
    assertThat(site.asked()).containsExactly("1", "2");

    site.run(
        "ALTER TABLE d DETACH PARTITION d1",
        "INSERT INTO d1 VALUES (3, 1)",
        "UPDATE d1 SET id = id + 10",
        "TRUNCATE d1");

    assertThat(site.asked()).isEmpty();
    assertThat(findings(true)).isEmpty();
    site.run("ALTER TABLE d ATTACH PARTITION d1 FOR VALUES FROM (1) TO (2)");
    assertThat(findings(true))
        .singleElement()
        .asString()
        .contains("partition public.d1 was detached", "--again, ", "and ask for its entities");
  }
}
