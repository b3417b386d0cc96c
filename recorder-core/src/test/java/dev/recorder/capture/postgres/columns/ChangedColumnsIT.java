package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.CaptureSite;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.Replay;
import dev.recorder.capture.postgres.WithCaptureSite;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that change while a table is captured, without anybody telling the recorder. */
class ChangedColumnsIT extends WithCaptureSite {
  private static final TableName ACCOUNT = new TableName("public", "account");

  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE TABLE account (id int PRIMARY KEY, name text, amount int)",
        "INSERT INTO account VALUES (0, 'not captured', 0)",
        "DELETE FROM account");
  }

  private long told() throws Exception {
    return site.changes().stream().filter(c -> c.contains("\"op\":\"schema\"")).count();
  }

  @Test
  void columnsThatComeGoAndChangeArriveByThemselves() throws Exception {
    site.capture("account");
    String more = "INSERT INTO account (id) SELECT coalesce(max(id), 0) + 1 FROM account";
    site.run(
        more,
        "UPDATE account SET name = 'first'",
        "ALTER TABLE account ADD COLUMN at timestamptz DEFAULT '2026-01-01 00:00Z'",
        more,
        "UPDATE account SET at = at + '1 second', name = 'x' WHERE id = 1",
        "ALTER TABLE account RENAME COLUMN name TO \"the 'name' %s {x}\"",
        more,
        "ALTER TABLE account ALTER COLUMN amount TYPE numeric(9,3), DROP COLUMN at",
        "UPDATE account SET id = id + 10, amount = 1.5",
        "ALTER TABLE account RENAME COLUMN \"the 'name' %s {x}\" TO name",
        "DELETE FROM account WHERE id = 12",
        "ALTER TABLE account DROP CONSTRAINT account_pkey",
        "UPDATE account SET name = 'no key' WHERE id = 11",
        "TRUNCATE account",
        more);
    Replay.provesEqual(site, ACCOUNT);
    assertThat(told()).isEqualTo(6);
    try (Captures captures = site.captures()) {
      assertThat(captures.check())
          .filteredOn(CaptureFinding::losesChanges)
          .extracting(CaptureFinding::text)
          .singleElement()
          .asString()
          .startsWith("values may have changed that no trigger saw");
    }
  }

  @Test
  void aTableThatHasNoColumnsLeftTellsNone() throws Exception {
    site.capture("account");
    site.run(
        "ALTER TABLE account DROP COLUMN id, DROP COLUMN name, DROP COLUMN amount",
        "INSERT INTO account DEFAULT VALUES");
    assertThat(told()).isOne();
  }

  @Test
  void theChangeIsToldOnceAndBySomebodyWhoCommits() throws Exception {
    site.capture("account");
    site.run(
        "ALTER TABLE account ADD COLUMN more text",
        "BEGIN",
        "INSERT INTO account VALUES (1)",
        "ROLLBACK",
        "INSERT INTO account VALUES (2)",
        "INSERT INTO account VALUES (3)");
    assertThat(told()).isEqualTo(2);
    Replay.provesEqual(site, ACCOUNT);
  }

  @Test
  void whoFindsThemChangedWaitsForNobodyAndTellsItToo() throws Exception {
    site.capture("account");
    site.run("ALTER TABLE account ADD COLUMN more text", "BEGIN", "INSERT INTO account VALUES (1)");
    try (Connection other = site.connect();
        Statement statement = other.createStatement()) {
      statement.execute("SET lock_timeout = '1s'");
      statement.execute("INSERT INTO account VALUES (2)");
      statement.execute("SET default_transaction_isolation = 'serializable'");
      statement.execute("INSERT INTO account VALUES (3)");
    }
    site.run("COMMIT");
    assertThat(told()).isEqualTo(3);
    Replay.provesEqual(site, ACCOUNT);
  }

  /** A row that it called fit must not be passed over when it goes. */
  @ParameterizedTest
  @CsvSource({
    "name = 'a', public.any_case, A, pg_catalog.\"C\"",
    "name < 'a', pg_catalog.\"C\", B, pg_catalog.\"en-x-icu\"",
    "name < 'a', pg_catalog.\"C\", B, public.any_case"
  })
  void soDoesOneWhoseColumnHasAnotherCollation(String when, String was, String name, String becomes)
      throws Exception {
    site.run(
        "CREATE COLLATION public.any_case"
            + " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        "ALTER TABLE account ALTER name TYPE text COLLATE " + was);
    CaptureOptions options = new CaptureOptions(ColumnChoice.ALL, when, null, OldImage.KEY);
    site.capture("account", options);
    site.run("INSERT INTO account VALUES (2, '" + name + "')");
    assertThat(site.losses()).isEmpty();

    site.run(
        "ALTER TABLE account ALTER name TYPE text COLLATE " + becomes,
        "DELETE FROM account WHERE id = 2");

    assertThat(site.ops()).containsExactly("insert", "delete");
    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("columns that its --when or --key names were others for a while");
    site.capture("account", options, true);
    assertThat(site.losses()).singleElement().asString().contains("until a snapshot");
    site.snapshot("account");
    assertThat(site.losses()).isEmpty();
  }

  @Test
  void aConditionWhoseColumnIsGoneLetsAllRowsThrough() throws Exception {
    site.capture(
        "account",
        new CaptureOptions(
            new ColumnChoice(List.of(), List.of("name")),
            "amount > 10 AND name LIKE '%s'",
            "'k' || id",
            OldImage.KEY));
    site.run(
        "INSERT INTO account VALUES (1, 's', 5), (2, '%s', 20)",
        "INSERT INTO account VALUES (3, '100 s', 30)",
        "ALTER TABLE account RENAME COLUMN amount TO euros",
        "INSERT INTO account VALUES (4, 'any', 1)");
    assertThat(site.database.query("SELECT key FROM handoff.orders", row -> row.getString(1)))
        .containsExactly("public.account", "k2", "k3", "public.account", "public.account");
  }

  @Test
  void aConditionStaysWhereASessionHasAllNamesQuoted() throws Exception {
    site.capture(
        "account",
        new CaptureOptions(ColumnChoice.ALL, "name LIKE 'k%'", "'k' || id", OldImage.KEY));
    site.run(
        "ALTER TABLE account ADD COLUMN more text",
        "SET quote_all_identifiers = on",
        "INSERT INTO account VALUES (1, 'kept', 5), (2, 'left out', 20)");
    assertThat(site.rows()).singleElement().asString().contains("\"name\":\"kept\"");
    assertThat(site.changes())
        .filteredOn(change -> change.contains("\"op\":\"schema\""))
        .last()
        .asString()
        .contains("{\"number\":4,\"name\":\"more\",\"type\":\"text\"}");
    try (Statement statement = site.application.createStatement();
        ResultSet setting = statement.executeQuery("SHOW quote_all_identifiers")) {
      setting.next();
      assertThat(setting.getString(1)).as("of the session it is as it was").isEqualTo("on");
    }
  }

  @Test
  void checkSaysThatItIsSlowUntilItIsSetUpAgain() throws Exception {
    site.run("ALTER TABLE account DROP COLUMN name");
    site.capture("account");
    try (Captures captures = site.captures()) {
      assertThat(captures.check()).isEmpty();
      site.run("ALTER TABLE account ADD COLUMN flag bool");
      assertThat(captures.check())
          .extracting(CaptureFinding::text)
          .singleElement()
          .asString()
          .startsWith("columns have changed since it was set up");
      captures.add(
          new Captures.WantedCapture(CaptureSite.ORDERS, "account", CaptureOptions.USUAL), true);
      assertThat(captures.check()).isEmpty();
    }
  }

  /** A failed migration that is taken back, while nobody has told it for good. */
  @Test
  void columnsThatComeBackAreToldAgain() throws Exception {
    site.capture("account");
    site.run(
        "ALTER TABLE account RENAME COLUMN name TO title",
        "BEGIN ISOLATION LEVEL REPEATABLE READ",
        "INSERT INTO account VALUES (1, 'a', 1)",
        "COMMIT",
        "ALTER TABLE account RENAME COLUMN title TO name",
        "BEGIN ISOLATION LEVEL REPEATABLE READ",
        "INSERT INTO account VALUES (2, 'b', 2)",
        "COMMIT");
    Replay.provesEqual(site, ACCOUNT);
    assertThat(told()).isEqualTo(3);
  }

  /** Its rows would be told with columns that are no more. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ADD COLUMN more int NOT NULL DEFAULT 1",
        "RENAME COLUMN name TO title",
        "DROP COLUMN name",
        "ALTER COLUMN name TYPE varchar(20)",
        "ALTER COLUMN name TYPE text COLLATE \"C\""
      })
  void aTransactionThatIsOlderThanAChangeOfColumnsIsToBeRunAgain(String change) throws Exception {
    site.capture("account");
    try (Connection old = site.connect();
        Statement statement = old.createStatement()) {
      statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
      statement.execute("SELECT FROM pg_class");
      site.run("ALTER TABLE account " + change, "INSERT INTO account (id) VALUES (1)");

      assertThatThrownBy(() -> statement.execute("INSERT INTO account (id) VALUES (2)"))
          .hasMessageContaining("columns of table public.account have changed since")
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("40001");
      statement.execute("ROLLBACK");
      statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
      statement.execute("INSERT INTO account (id) VALUES (2)");
      statement.execute("COMMIT");
    }
    Replay.provesEqual(site, ACCOUNT);
  }

  /** What the log was told meanwhile it does not see, and its rows would stand behind that. */
  @Test
  void oneThatIsOlderThanAChangeWhichWasToldAndTakenBackTellsItsColumns() throws Exception {
    site.capture("account");
    try (Connection old = site.connect();
        Statement statement = old.createStatement()) {
      statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
      statement.execute("SELECT FROM pg_class");
      site.run(
          "ALTER TABLE account RENAME name TO title",
          "INSERT INTO account VALUES (1, 'a')",
          "ALTER TABLE account RENAME title TO name");
      statement.execute("INSERT INTO account VALUES (2, 'lost?')");
      statement.execute("UPDATE account SET amount = 7");
      statement.execute("COMMIT");
    }
    assertThat(told()).as("once for both statements").isEqualTo(3);
    site.run("INSERT INTO account VALUES (3, 'c')");
    Replay.provesEqual(site, ACCOUNT);
  }

  /** Another table of the log, and one that is set up again, are no reason to tell anything. */
  @Test
  void oneThatSeesAllThatWasToldTellsNothing() throws Exception {
    site.capture("account");
    site.run("CREATE TABLE other (id int PRIMARY KEY)");
    site.capture("other");
    site.run("ALTER TABLE other ADD v text", "INSERT INTO other VALUES (1)");
    site.capture("other", OldImage.KEY, true);
    String begin = "BEGIN ISOLATION LEVEL REPEATABLE READ";
    site.run(begin, "INSERT INTO other VALUES (2)", "INSERT INTO account VALUES (2)", "COMMIT");
    assertThat(told()).isEqualTo(4);

    site.run(
        "ALTER TABLE account ADD w int", "BEGIN", "INSERT INTO account VALUES (3)", "ROLLBACK");
    site.run(begin, "INSERT INTO account VALUES (3)", "COMMIT");
    site.run(begin, "INSERT INTO account VALUES (4)", "COMMIT");
    assertThat(told()).isEqualTo(5);
    Replay.provesEqual(site, ACCOUNT);
  }

  /** Two rows may have what was the key by now. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "DROP CONSTRAINT account_pkey",
        "DROP CONSTRAINT account_pkey; INSERT INTO account VALUES (1);"
            + " ALTER TABLE account ADD PRIMARY KEY (id)"
      })
  void oneThatSeesAKeyThatIsGoneIsToBeRunAgain(String change) throws Exception {
    site.capture("account");
    try (Connection old = site.connect();
        Statement statement = old.createStatement()) {
      statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
      statement.execute("SELECT FROM pg_class");
      site.run("ALTER TABLE account " + change);
      assertThatThrownBy(() -> statement.execute("INSERT INTO account VALUES (2, 'b')"))
          .hasMessageContaining("an index of table public.account is gone")
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("40001");
    }
    site.run("INSERT INTO account VALUES (2, 'b')");
    Replay.provesEqual(site, ACCOUNT);
  }

  private static final String NARROW =
      """
      CREATE TABLE narrow (id int PRIMARY KEY, a varchar(3) COLLATE "C", b varchar(3),
        c numeric(5, 2), d timestamptz(0), e bit(3), f varchar(3)[], g interval day to second(3),
        h char(3) COLLATE "C")\
      """;

  private static final String[] OTHERS = {
    "ALTER a TYPE varchar(10)",
    "ALTER a TYPE varchar",
    "ALTER c TYPE numeric(7, 3)",
    "ALTER d TYPE timestamptz(3)",
    "ALTER e TYPE bit(5)",
    "ALTER f TYPE varchar(10)[]",
    "ALTER g TYPE interval",
    "ALTER h TYPE char(4)",
    "RENAME a TO i; ALTER TABLE narrow RENAME b TO a; ALTER TABLE narrow RENAME i TO b",
  };

  private static Stream<String> others() {
    return Stream.of(OTHERS);
  }

  /** Its values would be cut to lengths that are no more, or told as those of another column. */
  @ParameterizedTest
  @MethodSource("others")
  void soItIsIfAColumnHasOnlyAnotherLengthOrNameByNow(String change) throws Exception {
    site.run(NARROW);
    site.capture("narrow");
    site.run("INSERT INTO narrow (id, a) VALUES (0, 'a')");

    failsOnce(change);

    Replay.provesEqual(site, new TableName("public", "narrow"));
  }

  /** Where its columns have other names, each later transaction fails, too. */
  private static Stream<String> otherLengths() {
    return others().filter(change -> !change.startsWith("RENAME"));
  }

  @ParameterizedTest
  @MethodSource("otherLengths")
  void soItIsWhereTheTableIsCapturedForDocuments(String change) throws Exception {
    site.run(NARROW);
    site.captureEntities("narrow", "coalesce(a, b)");
    site.run("INSERT INTO narrow (id, a) VALUES (0, 'a')");

    failsOnce(change);

    assertThat(site.asked()).containsExactly("a", "a", "y", "y", "y");
  }

  /** A partition may have its columns in another order than the table has them. */
  @Test
  void aPartitionThatIsWrittenToItselfIsAskedForItsOwnColumns() throws Exception {
    site.run(
        "CREATE TABLE wide (id int PRIMARY KEY, a varchar(3), b varchar(5)) PARTITION BY LIST (id)",
        "CREATE TABLE part (gone int, b varchar(5), id int NOT NULL, a varchar(3))",
        "ALTER TABLE part DROP gone",
        "ALTER TABLE wide ATTACH PARTITION part FOR VALUES IN (1, 2)");
    site.capture("wide");
    site.captureEntities("wide", "b");
    site.run(
        "BEGIN ISOLATION LEVEL SERIALIZABLE",
        "INSERT INTO part (id, a, b) VALUES (1, 'a', 'b')",
        "INSERT INTO wide (id, a, b) VALUES (2, 'c', 'd')",
        "COMMIT");
    Replay.provesEqual(site, new TableName("public", "wide"));
    assertThat(site.asked()).containsExactly("b", "d");
  }

  private void failsOnce(String change) throws SQLException {
    List<String> statements =
        List.of(
            "UPDATE narrow SET b = 'x', a = 'y'",
            "INSERT INTO narrow (id, a, b) VALUES (2, 'y', 'x')",
            "DELETE FROM narrow WHERE id = 0");
    try (Connection old = site.connect();
        Statement statement = old.createStatement()) {
      for (String each : statements) {
        statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
        statement.execute("SELECT FROM pg_class");
        if (each.equals(statements.get(0))) {
          site.run("ALTER TABLE narrow " + change);
          assertThatThrownBy(() -> statement.execute(each))
              .hasMessageContaining("columns of table public.narrow have changed since")
              .extracting(e -> ((SQLException) e).getSQLState())
              .isEqualTo("40001");
          statement.execute("ROLLBACK");
          statement.execute("BEGIN ISOLATION LEVEL SERIALIZABLE");
        }
        statement.execute(each);
        statement.execute("COMMIT");
      }
    }
  }

  @Test
  void soTheyAreIfASnapshotAloneHasToldTheOthers() throws Exception {
    site.capture("account");
    site.run("ALTER TABLE account RENAME COLUMN name TO title");
    site.snapshot("account");
    site.run("ALTER TABLE account RENAME COLUMN title TO name", "INSERT INTO account VALUES (2)");
    assertThat(told()).isEqualTo(4);
    Replay.provesEqual(site, ACCOUNT);
  }

  /** As all rows of the catalog are new ones after pg_upgrade. */
  @Test
  void whatSaysNothingOfColumnsIsNoChangeOfThem() throws Exception {
    site.capture("account");
    site.run(
        "ALTER TABLE account ALTER COLUMN name SET STATISTICS 7, ALTER COLUMN id SET DEFAULT 9",
        "GRANT SELECT (name) ON account TO PUBLIC",
        "INSERT INTO account VALUES (1, 'a', 1)");
    assertThat(told()).isEqualTo(1);
    try (Captures captures = site.captures()) {
      assertThat(captures.check())
          .extracting(CaptureFinding::text)
          .noneMatch(text -> text.startsWith("columns have changed"));
    }

    List<String> changes =
        List.of(
            "ALTER COLUMN name SET NOT NULL",
            "ALTER COLUMN name TYPE varchar(9)",
            "ALTER COLUMN name TYPE varchar(10)",
            "RENAME COLUMN name TO n",
            "ALTER COLUMN amount SET NOT NULL",
            "ALTER COLUMN amount ADD GENERATED ALWAYS AS IDENTITY",
            "ADD COLUMN g int GENERATED ALWAYS AS (id) STORED",
            "ALTER COLUMN g DROP EXPRESSION",
            "DROP COLUMN g",
            "ADD COLUMN g int");
    for (int i = 0; i < changes.size(); i++) {
      site.run("ALTER TABLE account " + changes.get(i), "UPDATE account SET id = id");
      assertThat(told()).as(changes.get(i)).isEqualTo(2 + i);
    }
  }

  @Test
  void aColumnThatJoinsTheKeyAndChangesNothingElseIsToldAndSlow() throws Exception {
    site.run("ALTER TABLE account ALTER name SET NOT NULL");
    site.capture("account");
    site.run("ALTER TABLE account DROP CONSTRAINT account_pkey, ADD PRIMARY KEY (id, name)");
    try (Captures captures = site.captures()) {
      assertThat(captures.check())
          .extracting(CaptureFinding::text)
          .first()
          .asString()
          .startsWith("columns have changed since it was set up, or its key");
    }
    site.run("INSERT INTO account VALUES (1, 'a'), (1, 'b')");
    Replay.provesEqual(site, ACCOUNT);
  }

  @Test
  void aKeyWhoseColumnIsRenamedIsStillTheKey() throws Exception {
    site.capture("account");
    site.run("ALTER TABLE account RENAME COLUMN id TO number");
    try (Captures captures = site.captures()) {
      assertThat(captures.check()).noneMatch(CaptureFinding::losesChanges);
      site.run("ALTER TABLE account DROP COLUMN number");
      assertThat(captures.check()).noneMatch(CaptureFinding::losesChanges);
    }
    site.run("INSERT INTO account VALUES ('a')", "INSERT INTO account VALUES ('a')");
    Replay.provesEqual(site, ACCOUNT);
  }

  @Test
  void whatAScriptTellsOfExistingRowsDoesNotDependOnWhoRunsIt() throws Exception {
    site.run(
        "CREATE TABLE m (id int PRIMARY KEY)",
        "ALTER TABLE m ADD COLUMN c float8 DEFAULT 0.1::float8 + 0.2::float8",
        "ALTER TABLE m ADD COLUMN i interval DEFAULT '-1 day +02:03:04'");
    String script;
    try (Captures captures = site.captures()) {
      script =
          captures.script(
              new Captures.WantedCapture(CaptureSite.ORDERS, "m", CaptureOptions.USUAL), false);
    }
    site.database.execute(
        "SET extra_float_digits = 0; SET IntervalStyle = sql_standard; " + script);
    assertThat(site.changes())
        .singleElement()
        .asString()
        .contains("\"0.30000000000000004\"", "\"-1 days +02:03:04\"");
  }
}
