package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** What is captured of an ordinary table, statement by statement. */
class CaptureIT extends WithCaptureSite {
  private static final TableName ACCOUNT = new TableName("public", "account");

  @BeforeEach
  void create() throws Exception {
    site.run("CREATE TABLE account (id int PRIMARY KEY, name text, amount numeric(12,2))");
  }

  @Test
  @Tag("smoke")
  void eachChangeIsARowOfTheLogInItsTransaction() throws Exception {
    site.capture("account");
    site.run(
        "INSERT INTO account VALUES (7, 'Ann', 1.50), (8, NULL, 'NaN')",
        "UPDATE account SET name = 'Anna' WHERE id = 7",
        "DELETE FROM account WHERE id = 8",
        "TRUNCATE account");
    assertThat(site.changes())
        .containsExactly(
            """
            {"op":"schema","table":"public.account","columns":[\
            {"number":1,"name":"id","type":"integer","not_null":true},\
            {"number":2,"name":"name","type":"text"},\
            {"number":3,"name":"amount","type":"numeric(12,2)"}],"key":["id"]}""",
            """
            {"op":"insert","table":"public.account","key":{"id":7},\
            "after":{"id":7,"name":"Ann","amount":1.50}}""",
            """
            {"op":"insert","table":"public.account","key":{"id":8},\
            "after":{"id":8,"name":null,"amount":"NaN"}}""",
            """
            {"op":"update","table":"public.account","key":{"id":7},"before":{"id":7},\
            "after":{"id":7,"name":"Anna","amount":1.50}}""",
            """
            {"op":"delete","table":"public.account","key":{"id":8},"before":{"id":8}}""",
            """
            {"op":"truncate","table":"public.account"}""");
    assertThat(
            site.database.query("SELECT key FROM handoff.orders ORDER BY id", r -> r.getString(1)))
        .containsExactly(
            "public.account",
            "public.account/7",
            "public.account/8",
            "public.account/7",
            "public.account/8",
            "public.account");
  }

  @Test
  void whatIsRolledBackLeavesNothing() throws Exception {
    site.capture("account");
    site.run(
        "BEGIN",
        "INSERT INTO account VALUES (1, 'kept', 1)",
        "SAVEPOINT s",
        "INSERT INTO account VALUES (2, 'undone', 1)",
        "UPDATE account SET name = 'undone'",
        "ROLLBACK TO s",
        "INSERT INTO account VALUES (3, 'kept', 1)",
        "COMMIT",
        "BEGIN",
        "DELETE FROM account",
        "ROLLBACK");
    assertThat(site.ops()).containsExactly("insert", "insert");
    Replay.provesEqual(site, ACCOUNT);
  }

  @Test
  void keysThatMoveAreDeletesBeforeInserts() throws Exception {
    site.capture("account");
    site.run(
        "INSERT INTO account SELECT i, 'n' || i, i FROM generate_series(1, 3) AS i",
        "UPDATE account SET id = id - 1",
        "UPDATE account SET id = CASE id WHEN 0 THEN 9 ELSE id END, amount = 0");
    assertThat(site.ops())
        .containsExactly(
            "insert", "insert", "insert", "delete", "delete", "delete", "insert", "insert",
            "insert", "delete", "insert", "update", "update");
    Replay.provesEqual(site, ACCOUNT);
  }

  /** Two rows may have the same one until the transaction ends. */
  @Test
  void aKeyThatIsCheckedLaterTellsNoRowFromAnother() throws Exception {
    site.run(
        "ALTER TABLE account DROP CONSTRAINT account_pkey",
        "ALTER TABLE account ADD PRIMARY KEY (id) DEFERRABLE INITIALLY DEFERRED");
    site.capture("account", OldImage.ALL);
    site.run(
        "INSERT INTO account VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 3)",
        "BEGIN",
        "UPDATE account SET id = 2 WHERE name = 'one'",
        "UPDATE account SET id = 1 WHERE name = 'two'",
        "COMMIT",
        "UPDATE account SET id = id + 1",
        "DELETE FROM account WHERE id = 4");
    Replay.provesEqual(site, ACCOUNT);
    assertThat(site.changes()).noneMatch(change -> change.contains("\"key\":"));
  }

  @Test
  void aKeyThatIsCheckedLaterOrWrittenAsNamesOfObjectsIsToldAsNone() throws Exception {
    site.capture("account");
    site.run(
        "ALTER TABLE account DROP CONSTRAINT account_pkey",
        "ALTER TABLE account ADD PRIMARY KEY (id) DEFERRABLE",
        "INSERT INTO account VALUES (1)");
    assertThat(site.changes()).last().asString().doesNotContain("\"key\":");

    site.capture("account", OldImage.ALL, true);
    site.run(
        "ALTER TABLE account DROP CONSTRAINT account_pkey, ADD PRIMARY KEY (id)",
        "INSERT INTO account VALUES (2)");
    assertThat(site.changes()).last().asString().contains("\"key\":{\"id\":2}");

    site.run("ALTER TABLE account ALTER id TYPE regclass", "INSERT INTO account VALUES (3)");
    assertThat(site.changes()).last().asString().doesNotContain("\"key\":");
  }

  @Test
  void whateverMakesTheChangeItIsCaptured() throws Exception {
    site.run(
        """
        CREATE TABLE line (account int REFERENCES account ON UPDATE CASCADE ON DELETE CASCADE,
          no int, PRIMARY KEY (account, no))""");
    site.capture("account");
    site.capture("line");
    site.run(
        "INSERT INTO account VALUES (1, 'a', 1), (2, 'b', 2)",
        "INSERT INTO line VALUES (1, 1), (1, 2), (2, 1)",
        """
        INSERT INTO account VALUES (1, 'again', 5), (3, 'c', 3)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name""",
        """
        WITH gone AS (DELETE FROM account WHERE id = 3 RETURNING *),
          more AS (UPDATE account SET amount = amount * 2 WHERE id = 2 RETURNING *)
        INSERT INTO account SELECT id + 10, name, amount FROM gone""",
        "UPDATE account SET id = 20 WHERE id = 1",
        "DELETE FROM account WHERE id = 2",
        "CREATE FUNCTION batch() RETURNS void LANGUAGE sql AS"
            + " 'UPDATE account SET amount = 0; DELETE FROM line WHERE no = 2'",
        "SELECT batch()",
        "TRUNCATE account CASCADE",
        "INSERT INTO account VALUES (5, 'last', 5)");
    Replay.provesEqual(site, ACCOUNT);
    Replay.provesEqual(site, new TableName("public", "line"));
  }

  @Test
  void theOldRowIsToldAsFarAsItIsAskedFor() throws Exception {
    String[] work = {
      "INSERT INTO account VALUES (1, 'a', 1)",
      "UPDATE account SET amount = NULL",
      "DELETE FROM account"
    };
    for (OldImage old : OldImage.values()) {
      site.capture("account", old);
      site.run(work);
      site.remove("account");
    }
    assertThat(site.rows().stream().filter(r -> r.contains("\"op\":\"update\"")))
        .map(r -> r.replaceAll(".*\"key\":\\{\"id\":1},|\"after\".*", ""))
        .containsExactly(
            "",
            "\"before\":{\"id\":1},",
            "\"before\":{\"amount\":1.00},",
            "\"before\":{\"id\":1,\"name\":\"a\",\"amount\":1.00},");
    assertThat(site.rows().stream().filter(r -> r.contains("\"op\":\"delete\"")))
        .map(r -> r.replaceAll(".*\"key\":\\{\"id\":1},?", ""))
        .containsExactly(
            "}",
            "\"before\":{\"id\":1}}",
            "\"before\":{\"id\":1}}",
            "\"before\":{\"id\":1,\"name\":\"a\",\"amount\":null}}");
  }

  @Test
  void rowsComeUnderTheConditionAndLeaveIt() throws Exception {
    site.capture(
        "account", new CaptureOptions(ColumnChoice.ALL, "amount > 10", "'a/' || id", OldImage.KEY));
    site.run(
        "INSERT INTO account VALUES (1, 'out', 1), (2, 'in', 20), (3, 'null', NULL)",
        "UPDATE account SET amount = amount + 10",
        "UPDATE account SET amount = NULL WHERE id = 2",
        "DELETE FROM account WHERE id = 1",
        "DELETE FROM account");
    assertThat(site.rows())
        .map(row -> row.replaceAll("\"table\".*?\"key\":", "").replaceAll(",\"[ab].*", "}"))
        .containsExactly(
            "{\"op\":\"insert\",{\"id\":2}}",
            "{\"op\":\"insert\",{\"id\":1}}",
            "{\"op\":\"update\",{\"id\":2}}",
            "{\"op\":\"delete\",{\"id\":2}}",
            "{\"op\":\"delete\",{\"id\":1}}");
  }

  @Test
  void copyAndMergeAreCaptured() throws Exception {
    site.capture("account");
    try (Connection other = site.connect()) {
      CopyManager copy = other.unwrap(PGConnection.class).getCopyAPI();
      copy.copyIn("COPY account FROM STDIN", new StringReader("1\ta\t1\n2\t\\N\t2\n3\tc\t3\n"));
    }
    if (site.database.number("SELECT current_setting('server_version_num')::int") >= 150_000) {
      site.run(
          """
          MERGE INTO account a USING (VALUES (1, 'x'), (2, 'y'), (9, 'z')) v (id, name)
          ON a.id = v.id
          WHEN MATCHED AND v.id = 1 THEN DELETE
          WHEN MATCHED THEN UPDATE SET name = v.name
          WHEN NOT MATCHED THEN INSERT VALUES (v.id, v.name, 0)""");
      assertThat(site.ops())
          .startsWith("insert", "insert", "insert")
          .containsOnlyOnce("update", "delete")
          .hasSize(6);
    }
    Replay.provesEqual(site, ACCOUNT);
  }

  @Test
  void whatIsGeneratedOnReadingIsLeftOut() throws Exception {
    site.run("ALTER TABLE account ADD stored int GENERATED ALWAYS AS (id * 2) STORED");
    if (site.database.number("SELECT current_setting('server_version_num')::int") >= 180_000) {
      site.run("ALTER TABLE account ADD virtual int GENERATED ALWAYS AS (id * 3) VIRTUAL");
    }
    site.capture("account");
    site.run(
        "INSERT INTO account VALUES (1, 'a', 1)",
        "ALTER TABLE account ADD COLUMN more int",
        "INSERT INTO account VALUES (2, 'b', 1)");
    assertThat(site.changes())
        .noneMatch(change -> change.contains("virtual"))
        .last()
        .asString()
        .contains("\"stored\":4,\"more\":null");
  }

  @Test
  void statementsOfOneLogAreNumberedInTheOrderOfTheirEffects() throws Exception {
    site.run("CREATE TABLE other (id int PRIMARY KEY)");
    site.capture("account");
    site.capture("other");
    try (Connection second = site.connect();
        Statement later = second.createStatement()) {
      site.run("BEGIN", "INSERT INTO other VALUES (1)"); // The transaction that began first ...
      later.execute("INSERT INTO account VALUES (1, 'a', 1)");
      site.run("UPDATE account SET name = 'last'", "COMMIT"); // ... changes the row last.
    }
    assertThat(
            site.database.query(
                "SELECT payload->>'op' FROM handoff.orders WHERE payload->>'table' LIKE '%account'"
                    + " AND payload->>'op' <> 'schema' ORDER BY xid, id",
                row -> row.getString(1)))
        .containsExactly("update", "insert");
    Replay.provesEqual(site, ACCOUNT);
  }

  @Test
  void aConditionMeansTheSameInEverySession() throws Exception {
    site.run("CREATE TABLE m (id int PRIMARY KEY, d date, n int)");
    site.capture(
        "m",
        new CaptureOptions(ColumnChoice.ALL, "d >= '01/02/2026' OR n = NULL", null, OldImage.KEY));
    site.run(
        "SET DateStyle = 'ISO, DMY'",
        "SET transform_null_equals = on",
        "INSERT INTO m VALUES (1, '2026-01-15', 1), (2, '2025-12-01', NULL)");
    assertThat(site.rows()).singleElement().asString().contains("\"key\":{\"id\":1}");
  }

  @Test
  void rowsThatATriggerPutsThereAfterATruncateStayWhateverItIsCalled() throws Exception {
    site.run(
        "CREATE TABLE a (id int PRIMARY KEY)",
        "CREATE TABLE m (id int PRIMARY KEY)",
        """
        CREATE FUNCTION seed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO public.m VALUES (CASE TG_RELNAME WHEN 'm' THEN 7 ELSE 8 END);
          RETURN NULL;
        END $$""",
        "CREATE TRIGGER \"00_after\" AFTER TRUNCATE ON m EXECUTE FUNCTION seed()",
        "CREATE TRIGGER seed AFTER TRUNCATE ON a EXECUTE FUNCTION seed()");
    site.capture("m");
    site.run("INSERT INTO m VALUES (1)", "TRUNCATE m");
    Replay.provesEqual(site, new TableName("public", "m"));

    site.run("TRUNCATE a, m");
    Replay.provesEqual(site, new TableName("public", "m"));
  }

  private static final String ARMED =
      "SELECT count(*) FROM pg_trigger WHERE tgfoid::regproc::text LIKE 'recorder.capture%'";

  @Test
  void aTriggerOfOursThatIsCalledOtherwiseIsReplacedAndRemovedToo() throws Exception {
    site.run("CREATE TABLE m (v text)");
    site.capture("m", OldImage.ALL);
    String renamed = "ALTER TRIGGER \"00_recorder_orders_insert\" ON m RENAME TO other";
    site.run(renamed);
    site.capture("m", OldImage.ALL, true);
    assertThat(site.database.number(ARMED)).isEqualTo(4);

    site.run(renamed);
    site.remove("m");
    assertThat(site.database.number(ARMED)).isZero();
  }

  @Test
  void aSecondTriggerOfAnEventIsAFindingAndGoes() throws Exception {
    site.run("CREATE TABLE m (v text)");
    site.capture("m", OldImage.ALL);
    site.database.execute(
        """
        DO $$ BEGIN
          EXECUTE (SELECT replace(pg_get_triggerdef(oid), '"00_recorder_orders_insert"', 'other')
            FROM pg_trigger WHERE tgname = '00_recorder_orders_insert');
        END $$""");
    try (Captures captures = site.captures()) {
      assertThat(captures.check())
          .extracting(CaptureFinding::text)
          .contains(
              "table public.m has more than one trigger of this capture for an event, which tell"
                  + " its changes more than once: add the capture with --again; then recorder"
                  + " capture snapshot public.m --recorder orders");
    }
    site.capture("m", OldImage.ALL, true);
    assertThat(site.database.number(ARMED)).isEqualTo(4);
  }

  /** It says what it says where the setting is as it is pinned. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "default_text_search_config|simple|english|to_tsvector(name) @@ to_tsquery('running')",
        "xmlbinary|base64|hex|xmlforest(name::bytea AS a)::text LIKE '%>cnVubmluZw==<%'"
      })
  void aConditionSaysTheSameWhateverTheSessionHasSet(
      String setting, String pinned, String other, String when) throws Exception {
    site.capture("account", new CaptureOptions(ColumnChoice.ALL, when, null, OldImage.KEY));
    site.run(
        "SET " + setting + " = " + pinned,
        "INSERT INTO account VALUES (1, 'running'), (2, 'runs')",
        "SET " + setting + " = " + other,
        "INSERT INTO account VALUES (3, 'running'), (4, 'runs')");
    assertThat(site.rows()).hasSize(2).allMatch(row -> row.contains("running"));
  }
}
