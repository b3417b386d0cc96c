package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.postgres.CaptureNews.NewsKind;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.catalog.CaptureCheck;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlAction;
import dev.recorder.testing.TappedConnection;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes that were lost stay lost when what lost them is over: so does the finding. */
class LastingLossesIT extends WithKeptSite {
  private static final String SNAPSHOT =
      "until a snapshot: run recorder capture snapshot public.%s --recorder orders";

  @BeforeEach
  void create() throws Exception {
    kept.mayTrigger();
    site.run("CREATE TABLE t (id int PRIMARY KEY, v text)");
    site.capture("t");
    site.run("INSERT INTO t VALUES (1, 'a')");
  }

  private void lastsUntilASnapshot(String table, String what) throws Exception {
    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("found before: " + what)
        .endsWith(SNAPSHOT.formatted(table));
    assertThat(kept.faults()).extracting(CaptureNews::kind).containsExactly(NewsKind.LOSING);
    site.again(table);
    assertThat(site.losses()).singleElement().asString().startsWith("found before: " + what);
    site.snapshot(table);
    assertThat(site.losses()).isEmpty();
    site.again(table);
    assertThat(site.losses()).isEmpty();
  }

  @Test
  void aChildByInheritsThatIsGoneAgain() throws Exception {
    site.run(
        "CREATE TABLE child () INHERITS (t)",
        "INSERT INTO child VALUES (1, 'child')",
        "DELETE FROM t WHERE v = 'child'");
    assertThat(kept.faults()).extracting(CaptureNews::kind).containsExactly(NewsKind.LOSING);
    site.run("DROP TABLE child");
    lastsUntilASnapshot("t", "table public.child is a child of it by INHERITS");
  }

  @Test
  void aTableThatWasAPartitionForAWhile() throws Exception {
    site.run(
        "CREATE TABLE p (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)",
        "ALTER TABLE p ATTACH PARTITION t FOR VALUES FROM (0) TO (100)",
        "INSERT INTO p VALUES (2, 'via p')");
    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("it is a partition of public.p now");
    site.run("ALTER TABLE p DETACH PARTITION t");
    lastsUntilASnapshot("t", "it is a partition of public.p now");
  }

  @Test
  void triggersThatWereDisabledAndThatOthersHaveEnabled() throws Exception {
    site.run("ALTER TABLE t DISABLE TRIGGER USER", "INSERT INTO t VALUES (2, 'b')");
    assertThat(site.losses()).singleElement().asString().contains("triggers that are disabled");
    site.run("ALTER TABLE t ENABLE TRIGGER USER");
    lastsUntilASnapshot("t", "table public.t has triggers that are disabled");
  }

  @Test
  void triggersThatAreMadeAnewWhenItIsSetUpAgain() throws Exception {
    site.run("ALTER TABLE t DISABLE TRIGGER ALL", "INSERT INTO t VALUES (2, 'b')");
    site.again("t");
    lastsUntilASnapshot("t", "table public.t has triggers that are disabled");

    site.run("DROP TRIGGER \"00_recorder_orders_insert\" ON t", "INSERT INTO t VALUES (3, 'c')");
    site.again("t");
    lastsUntilASnapshot("t", "table public.t has 3 of 4 triggers");

    site.run(
        "DROP TRIGGER \"00_recorder_orders_insert\" ON t",
        "DROP TRIGGER \"00_recorder_orders_update\" ON t",
        "DROP TRIGGER \"00_recorder_orders_delete\" ON t",
        "DROP TRIGGER \"00_recorder_orders_truncate\" ON t",
        "INSERT INTO t VALUES (4, 'd')");
    site.again("t");
    lastsUntilASnapshot("t", "its table is gone, or its triggers");
  }

  @Test
  void theScriptOfAnAdministratorNotesItToo() throws Exception {
    site.run("DROP TRIGGER \"00_recorder_orders_insert\" ON t", "INSERT INTO t VALUES (3, 'c')");
    String script;
    try (Captures captures = site.captures()) {
      script = captures.script(KeptSite.wanted("t"), true);
    }
    site.database.execute(script);
    lastsUntilASnapshot("t", "table public.t has 3 of 4 triggers");
  }

  private void partitioned() throws Exception {
    site.run(
        "CREATE TABLE m (id int, y int, v text, PRIMARY KEY (id, y)) PARTITION BY LIST (y)",
        "CREATE TABLE m1 PARTITION OF m FOR VALUES IN (1)");
    site.capture("m");
    site.run("CREATE TABLE m2 PARTITION OF m FOR VALUES IN (2)");
  }

  @Test
  void aPartitionThatWasWrittenToBeforeItWasArmed() throws Exception {
    partitioned();
    site.again("m");
    assertThat(site.losses()).as("nothing was written to it").isEmpty();

    site.run(
        "CREATE TABLE m3 PARTITION OF m FOR VALUES IN (3)", "INSERT INTO m3 VALUES (3, 3, 'c')");
    site.again("m");
    lastsUntilASnapshot("m", "partition public.m3 is not captured when it is written to itself");
  }

  @Test
  void soItIsWhereTheScriptForTheFileArmsIt() throws Exception {
    partitioned();
    site.run("INSERT INTO m2 VALUES (2, 2, 'b')");
    String script;
    try (Captures captures = site.captures()) {
      script = captures.script(List.of(KeptSite.rule("m")));
    }
    site.database.execute(script);
    lastsUntilASnapshot("m", "partition public.m2 was not captured when it was written to itself");
  }

  @Test
  void aTriggerOfRowsThatWasMissing() throws Exception {
    assumeTrue(site.database.number("SHOW server_version_num") >= 150_000);
    partitioned();
    site.again("m");
    site.run(
        "INSERT INTO m VALUES (1, 1, 'a')",
        "DROP TRIGGER zz_recorder_orders_moves ON m",
        "MERGE INTO m USING (VALUES (1)) s (i) ON m.id = s.i WHEN MATCHED THEN UPDATE SET y = 2");
    site.again("m");
    lastsUntilASnapshot(
        "m", "table public.m, or a partition of it, has not all triggers for each row");
  }

  /** The triggers for each row come last, in a transaction of their own. */
  @Test
  void aSetUpUnderWayHasLostNothing() throws Exception {
    String[] script = halves("p", CaptureOptions.USUAL, CaptureSite.ORDERS);
    site.database.execute(script[0]);
    assertThat(kept.faults()).as("somebody may be at it").isEmpty();
    assertThat(site.losses())
        .singleElement()
        .asString()
        .contains("has not all triggers for each row");
    assertThat(kept.faults()).as("still").extracting(CaptureNews::kind).contains(NewsKind.LOSING);
    site.database.execute(script[1]);
    assertThat(site.losses()).isEmpty();
    assertThat(kept.faults()).isEmpty();

    String[] documents = halves("d", CaptureOptions.ofDocuments("id", null), CaptureSite.ACCOUNTS);
    site.database.execute(documents[0]);
    assertThat(site.losses()).hasSize(1);
    site.database.execute(documents[1]);
    assertThat(site.losses()).isEmpty();
  }

  @Test
  void oneThatWasInterruptedHas() throws Exception {
    site.database.execute(halves("p", CaptureOptions.USUAL, CaptureSite.ORDERS)[0]);
    site.again("p");
    lastsUntilASnapshot(
        "p", "table public.p, or a partition of it, has not all triggers for each row");
  }

  @Test
  void whatWasSeenBeforeASetUpIsNotNotedAfterIt() throws Exception {
    site.run("CREATE TABLE d (id int PRIMARY KEY)");
    site.captureEntities("d", "id");
    site.run("ALTER TABLE d DISABLE TRIGGER USER");
    CaptureNames names = new CaptureNames(SchemaNames.DEFAULT);
    SqlAction<String> before =
        sql -> {
          if (sql.contains("SKIP LOCKED")) {
            site.run("ALTER TABLE d ENABLE TRIGGER USER");
            site.database.execute("UPDATE recorder.captures SET stale_at = NULL");
          }
        };
    try (Connection real = site.database.connectAsSuperuser()) {
      Connection tapped = new TappedConnection(real, before, UnaryOperator.identity()).tapped();
      assertThat(new CaptureCheck(tapped, names).all()).anyMatch(CaptureFinding::losesChanges);
    }
    assertThat(site.losses()).isEmpty();
  }

  /** Sets up a partitioned table, until the triggers for each row, and those. */
  private String[] halves(String table, CaptureOptions options, RecorderName recorder)
      throws Exception {
    site.run(
        "CREATE TABLE %s (id int, y int, PRIMARY KEY (id, y)) PARTITION BY LIST (y)"
            .formatted(table),
        "CREATE TABLE %1$s1 PARTITION OF %1$s FOR VALUES IN (1)".formatted(table));
    try (Captures captures = site.captures()) {
      String script = captures.script(new WantedCapture(recorder, table, options), false);
      int rows = script.indexOf("-- For each row");
      return new String[] {script.substring(0, rows), script.substring(rows)};
    }
  }

  @Test
  void aSnapshotThatBeganMeanwhileIsNotEnough() throws Exception {
    site.run("ALTER TABLE t DISABLE TRIGGER USER");
    site.snapshot("t");
    assertThat(site.losses()).singleElement().asString().contains("triggers that are disabled");
    site.run("ALTER TABLE t ENABLE TRIGGER USER");
    lastsUntilASnapshot("t", "table public.t has triggers that are disabled");

    site.run("ALTER TABLE t SET UNLOGGED");
    assertThat(site.losses()).hasSize(1);
    site.run("ALTER TABLE t SET LOGGED");
    site.snapshot("t");
    assertThat(site.losses()).as("nobody has to look in between").isEmpty();
  }

  @Test
  void documentsLackThemUntilItIsSetUpAgainOnceMore() throws Exception {
    site.run("CREATE TABLE d (id int PRIMARY KEY)");
    site.captureEntities("d", "id");
    site.run("DROP TRIGGER \"00_recorder_accounts_insert\" ON d", "INSERT INTO d VALUES (1)");
    WantedCapture wanted =
        new WantedCapture(CaptureSite.ACCOUNTS, "d", CaptureOptions.ofDocuments("id", null));
    try (Captures captures = site.captures()) {
      captures.add(wanted, true);
      assertThat(site.losses())
          .singleElement()
          .asString()
          .startsWith("found before: table public.d has 3 of 4 triggers; documents may lack")
          .contains(
              "ask for its entities, and then run recorder capture add public.d --recorder accounts"
                  + " --again, with");
      captures.add(wanted, true);
      assertThat(site.losses()).isEmpty();
    }
    site.run("ALTER TABLE d DISABLE TRIGGER USER");
    assertThat(site.losses()).singleElement().asString().contains("triggers that are disabled");
    site.run("ALTER TABLE d ENABLE TRIGGER USER");
    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("found before: table public.d has");
  }

  @Test
  void aTransactionThatTellsColumnsKeepsNobodyFromLooking() throws Exception {
    site.run("ALTER TABLE t ADD x int");
    try (Connection other = site.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("INSERT INTO t VALUES (5)");
      site.run("CREATE TABLE above (id int, v text, x int)");
      assertThat(site.losses()).isEmpty();
      other.commit();
    }
    site.run("ALTER TABLE t INHERIT above");
    assertThat(site.losses()).hasSize(1);
  }
}
