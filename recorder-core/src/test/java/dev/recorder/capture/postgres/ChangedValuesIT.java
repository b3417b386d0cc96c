package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.operate.rebase.RebaseSite;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that change without a statement on their table, so that only a snapshot tells them. */
class ChangedValuesIT {
  private SnapshotSite site;

  @BeforeEach
  void create() throws Exception {
    site = new SnapshotSite();
    site.source.run(
        "CREATE TYPE public.mood AS ENUM ('a', 'b')",
        "CREATE DOMAIN public.feeling AS public.mood",
        "CREATE TYPE public.pair AS (one int, two public.feeling[])");
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  private void capture(String columns, String... rows) throws Exception {
    site.source.run("CREATE TABLE public.t (id int PRIMARY KEY" + columns + ")");
    site.capture("public.t", OldImage.KEY, false);
    site.source.run(rows);
    assertThat(losses()).isEmpty();
  }

  private List<String> losses() {
    try (Captures captures = site.captures()) {
      return captures.check().stream()
          .filter(CaptureFinding::losesChanges)
          .map(CaptureFinding::text)
          .toList();
    }
  }

  private void isALossUntilASnapshot(String... statements) throws Exception {
    site.source.run(statements);
    assertThat(losses())
        .singleElement()
        .asString()
        .contains("recorder capture add public.t --recorder orders --again --snapshot");

    site.capture("public.t", OldImage.KEY, true);
    isALossUntilTheSnapshotIsTaken();
  }

  private void isALossUntilTheSnapshotIsTaken() throws Exception {
    assertThat(losses())
        .singleElement()
        .asString()
        .contains("until a snapshot: run recorder capture snapshot public.t --recorder orders");

    site.snapshot("public.t");
    assertThat(losses()).isEmpty();
  }

  @Test
  void aLabelOfAnEnumThatIsRenamedIsALossUntilASnapshot() throws Exception {
    capture(", m public.mood", "INSERT INTO public.t VALUES (1, 'a')");
    isALossUntilASnapshot("ALTER TYPE public.mood RENAME VALUE 'a' TO 'aa'");
  }

  @Test
  void soItIsBehindADomainInAnArrayOfACompositeType() throws Exception {
    capture(", p public.pair[]");
    isALossUntilASnapshot("ALTER TYPE public.mood RENAME VALUE 'a' TO 'aa'");
  }

  @Test
  void anAttributeThatATypeGetsIsALossUntilASnapshot() throws Exception {
    capture(", p public.pair", "INSERT INTO public.t VALUES (1, '(1,{a})')");
    isALossUntilASnapshot("ALTER TYPE public.pair ADD ATTRIBUTE three int");
  }

  @Test
  void aLabelThatAnEnumGetsAndAColumnThatIsDroppedAreNone() throws Exception {
    capture(", m public.mood, p public.pair");
    site.source.run(
        "ALTER TYPE public.mood ADD VALUE 'between' BEFORE 'b'",
        "ALTER TYPE public.pair RENAME ATTRIBUTE one TO first");
    assertThat(losses()).isEmpty();
    site.source.run(
        "ALTER TABLE public.t DROP COLUMN p", "ALTER TYPE public.pair ADD ATTRIBUTE three int");
    assertThat(losses()).isEmpty();
  }

  @Test
  void aDefaultThatIsWrittenIntoRowsBeforeTheLogHasItIsALossUntilASnapshot() throws Exception {
    capture("", "INSERT INTO public.t VALUES (1)");
    isALossUntilASnapshot(
        "ALTER TABLE public.t ADD COLUMN c int DEFAULT 5",
        "VACUUM FULL public.t",
        "INSERT INTO public.t VALUES (2)");
  }

  @Test
  void soAreValuesThatTheServerMakesOfOthers() throws Exception {
    capture("", "INSERT INTO public.t VALUES (1)");
    isALossUntilASnapshot(
        "ALTER TABLE public.t ADD COLUMN d int GENERATED ALWAYS AS (id * 2) STORED");
  }

  @Test
  void soIsAColumnOfAnotherType() throws Exception {
    capture(", v text", "INSERT INTO public.t VALUES (1, '5')");
    isALossUntilASnapshot("ALTER TABLE public.t ALTER COLUMN v TYPE int USING v::int + 1");
  }

  /** The second has no TOAST table, the others have. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jsonb|{}|jsonb USING jsonb_build_object('a', v)",
        "timestamptz|2026-01-01 10:00+00|timestamptz USING v - interval '1 hour'",
        "varchar(20)|abcdef|varchar(3) USING right(v, 3)",
        "text|a|text USING upper(v), ALTER v SET DEFAULT 'x', ALTER v SET NOT NULL"
      })
  void soIsOneOfTheSameTypeWhoseValuesAreMadeOfThoseOfBefore(String type, String value, String to)
      throws Exception {
    capture(", v " + type, "INSERT INTO public.t VALUES (1, '" + value + "')");
    isALossUntilASnapshot(
        "ALTER TABLE public.t ALTER COLUMN v TYPE " + to,
        "INSERT INTO public.t VALUES (2, DEFAULT)");
    site.provesEqual("public.t");
  }

  @Test
  void soAreValuesThatOnePartitionMakesOfOthersInAnotherWay() throws Exception {
    assumeTrue(site.source.database.number("SHOW server_version_num") >= 170_000);
    site.source.run(
        "CREATE TABLE public.t (id int PRIMARY KEY, s int,"
            + " v int GENERATED ALWAYS AS (s * 2) STORED) PARTITION BY RANGE (id)",
        "CREATE TABLE public.t1 PARTITION OF public.t FOR VALUES FROM (0) TO (100)");
    site.capture("public.t", OldImage.KEY, false);
    site.source.run("INSERT INTO public.t (id, s) VALUES (1, 5)");
    assertThat(losses()).isEmpty();
    isALossUntilASnapshot("ALTER TABLE public.t1 ALTER v SET EXPRESSION AS (s * 7)");
  }

  /** Of pg_upgrade there is what it does to the catalog: it writes all rows of it, and no file. */
  @ParameterizedTest
  @ValueSource(strings = {"", ", v text"})
  void aTableThatIsWrittenAnewAsItIsIsNone(String columns) throws Exception {
    site.source.run(
        "CREATE TABLE public.t (id int, n int" + columns + ")",
        "CREATE UNIQUE INDEX i ON public.t (id)",
        "ALTER TABLE public.t ALTER id SET NOT NULL");
    site.capture("public.t", OldImage.KEY, false);
    site.source.run("INSERT INTO public.t VALUES (1, 1)");
    String[] all = {
      "VACUUM FULL public.t",
      "CLUSTER public.t USING i",
      "REINDEX TABLE public.t",
      "TRUNCATE public.t"
    };
    for (String each : all) {
      site.source.run(each);
      assertThat(losses()).as(each).isEmpty();
    }
    superuser("UPDATE pg_attribute SET attname = attname WHERE attrelid = 'public.t'::regclass");
    assertThat(losses()).isEmpty();
    for (String each : all) {
      site.source.run(each);
      assertThat(losses()).as(each).isEmpty();
    }
  }

  @Test
  void aColumnThatIsWiderOrHasAnotherDefaultInATableThatIsWrittenAnewIsNone() throws Exception {
    capture(
        ", v varchar(9), n numeric(9, 2), more text", "INSERT INTO public.t VALUES (1, 'v', 1)");
    site.source.run(
        "ALTER TABLE public.t ALTER v TYPE varchar(20), ALTER n TYPE numeric(12, 2)",
        "ALTER TABLE public.t ALTER v SET DEFAULT 'x'",
        "VACUUM FULL public.t",
        "INSERT INTO public.t VALUES (2, 'w', 2)");
    assertThat(losses()).isEmpty();
    site.provesEqual("public.t");
  }

  @Test
  void aTypeOfTheSameValuesIsFoundAfterPgUpgradeToo() throws Exception {
    capture(", v text", "INSERT INTO public.t VALUES (1, 'v')");
    superuser("UPDATE pg_attribute SET attname = attname WHERE attrelid = 'public.t'::regclass");
    assertThat(losses()).isEmpty();
    isALossUntilASnapshot("ALTER TABLE public.t ALTER v TYPE text USING upper(v)");
  }

  private void superuser(String statement) throws Exception {
    try (Connection connection = site.source.database.connectAsSuperuser();
        Statement each = connection.createStatement()) {
      each.execute(statement);
    }
  }

  /** What made the values is gone from the catalog, or was never in it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "uuid DEFAULT gen_random_uuid()|ALTER TABLE public.t ALTER COLUMN c DROP DEFAULT",
        "int DEFAULT 5|ALTER TABLE public.t ALTER COLUMN c DROP DEFAULT",
        "public.counted|SELECT"
      })
  void soAreValuesOfADefaultThatIsDroppedOrIsItsDomains(String column, String then)
      throws Exception {
    capture("", "INSERT INTO public.t VALUES (1)");
    isALossUntilASnapshot(
        "CREATE DOMAIN public.counted AS int DEFAULT 7",
        "ALTER TABLE public.t ADD COLUMN c " + column,
        then,
        "VACUUM FULL public.t",
        "INSERT INTO public.t VALUES (2)");
    site.provesEqual("public.t");
  }

  /** The capture of another table with the name of one that is captured, but is gone. */
  @Test
  void aTableThatTakesTheNameOfOneThatIsGoneKeepsItsCaptureUntilBothAreEnded() throws Exception {
    capture("");
    site.source.run("CREATE TABLE public.u (id int PRIMARY KEY)");
    site.capture("public.u", OldImage.KEY, false);
    site.source.run("DROP TABLE public.t", "ALTER TABLE public.u RENAME TO t");
    assertThat(losses())
        .singleElement()
        .asString()
        .startsWith("its table is gone, and public.t is another one, which is captured as public.u")
        .contains("recorder capture remove public.t --recorder orders twice");

    try (Captures captures = site.captures()) {
      captures.remove(RebaseSite.ORDERS, "public.t");
      captures.remove(RebaseSite.ORDERS, "public.t");
    }
    site.capture("public.t", OldImage.KEY, false);
    isALossUntilTheSnapshotIsTaken();
  }

  /** Whatever rows it has by then: copies have those of before. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE public.t SET v = 'b' WHERE id = 1",
        "DELETE FROM public.t",
        "DROP TABLE public.t; CREATE TABLE public.t (id int PRIMARY KEY, v text)"
      })
  void changesBetweenTheEndOfACaptureAndTheNextAreALossUntilASnapshot(String change)
      throws Exception {
    capture(", v text", "INSERT INTO public.t VALUES (1, 'a'), (2, 'a')");
    site.provesEqual("public.t");
    try (Captures captures = site.captures()) {
      captures.remove(RebaseSite.ORDERS, "public.t");
    }
    site.source.run(change);
    site.capture("public.t", OldImage.KEY, false);

    isALossUntilTheSnapshotIsTaken();

    site.provesEqual("public.t");
    site.capture("public.t", OldImage.KEY, true);
    assertThat(losses()).isEmpty();
  }

  @Test
  void soTheyAreIfAnAdministratorRunsTheScriptTwiceThatEndsIt() throws Exception {
    capture(", v text", "INSERT INTO public.t VALUES (1, 'a')");
    try (Captures captures = site.captures()) {
      String script = captures.removal(RebaseSite.ORDERS, "public.t");
      site.source.database.execute(script, script);
    }
    site.source.run("DELETE FROM public.t");
    site.capture("public.t", OldImage.KEY, false);
    site.capture("public.t", OldImage.KEY, true);

    isALossUntilTheSnapshotIsTaken();
  }

  @Test
  void aColumnThatIsAddedAndFilledByStatementsIsNone() throws Exception {
    capture(", v text", "INSERT INTO public.t VALUES (1, 'v')");
    site.source.run(
        "ALTER TABLE public.t ADD COLUMN c int",
        "UPDATE public.t SET c = 5",
        "ALTER TABLE public.t ALTER COLUMN c SET DEFAULT 5, ALTER COLUMN c SET NOT NULL",
        "ALTER TABLE public.t ADD COLUMN d int DEFAULT 7");
    assertThat(losses()).isEmpty();
  }

  /** The last is none of its type, but of what made the values of it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timestamp|2026-01-01 12:00|timestamptz",
        "date|2026-01-01|timestamptz",
        "time|12:00|timetz",
        "real|0.1|double precision",
        "varchar(9)|a|text USING upper(v)",
        "xml|<?xml version=\"1.0\" encoding=\"utf-8\"?><a/>|text",
        "public.document|<?xml version=\"1.0\" encoding=\"utf-8\"?><a/>|text",
        "xml[]|{<?xml version='1.0' encoding='utf-8'?><a/>}|text[]",
        "oid|4000000000|int",
        "regtype|integer|oid"
      })
  void soIsOneOfATypeThatTakesItsValuesAndGivesThemOtherTexts(String type, String value, String to)
      throws Exception {
    site.source.run("CREATE DOMAIN public.document AS xml");
    capture(", v " + type, "INSERT INTO public.t VALUES (1, $$" + value + "$$)");
    isALossUntilASnapshot(
        "SET TimeZone = 'Europe/Berlin'", "ALTER TABLE public.t ALTER COLUMN v TYPE " + to);
    site.provesEqual("public.t");
  }

  @ParameterizedTest
  @CsvSource({
    "int,5,bigint",
    "bigint,9007199254740993,double precision",
    "smallint,5,'numeric(9,2)'",
    "numeric,0.1,double precision",
    "varchar(9),v,text",
    "char(5),v,text",
    "text,v,varchar",
    "date,2026-01-01,timestamp",
    "timestamp,2026-01-01 12:00,timestamptz",
    "timestamptz,2026-01-01 12:00,timestamp",
    "cidr,10.0.0.1/32,inet",
    "bit(3),101,varbit",
    "text,v,public.words",
    "text,v,public.citext",
    "public.citext,v,text",
    "public.words,v,varchar",
    "xml,<a/>,public.document",
    "public.mood,a,public.feeling"
  })
  void aColumnOfATypeThatGivesItsValuesTheSameTextsIsNone(String type, String value, String to)
      throws Exception {
    site.source.database.execute("CREATE EXTENSION citext SCHEMA public");
    site.source.run("CREATE DOMAIN public.words AS text", "CREATE DOMAIN public.document AS xml");
    capture(", v " + type, "INSERT INTO public.t VALUES (1, '" + value + "')");
    site.source.run(
        "SET TimeZone = 'UTC'",
        "ALTER TABLE public.t ALTER COLUMN v TYPE " + to,
        "INSERT INTO public.t VALUES (2, NULL)");
    assertThat(losses()).isEmpty();
    site.provesEqual("public.t");
  }

  @Test
  void soAreTwoOfThemTogether() throws Exception {
    capture(", i int, v char(5)", "INSERT INTO public.t VALUES (1, 1, 'v')");
    site.source.run(
        "ALTER TABLE public.t ALTER COLUMN i TYPE bigint, ALTER COLUMN v TYPE text",
        "INSERT INTO public.t VALUES (2, 2, 'v')");
    assertThat(losses()).isEmpty();
    site.provesEqual("public.t");
  }

  @Test
  void soIsAnyTypeWhereThereIsNoRow() throws Exception {
    site.source.run("CREATE TABLE public.t (id int PRIMARY KEY, v oid) PARTITION BY LIST (id)");
    site.capture("public.t", OldImage.KEY, false);
    site.source.run(
        "ALTER TABLE public.t ALTER v TYPE int",
        "CREATE TABLE public.t1 PARTITION OF public.t DEFAULT");
    assertThat(losses()).noneMatch(text -> text.startsWith("values may have changed"));
  }

  /** USING may have made the texts, and nothing in the catalog says that it has not. */
  @Test
  void aTypeThatTakesItsValuesIsALossIfAnotherColumnHasTheTableWrittenAnew() throws Exception {
    capture(", i int, v varchar(9)", "INSERT INTO public.t VALUES (1, 1, 'v')");
    isALossUntilASnapshot(
        "ALTER TABLE public.t ALTER COLUMN i TYPE bigint, ALTER COLUMN v TYPE text USING upper(v)");
    site.provesEqual("public.t");
  }

  @Test
  void rowsThatAnotherConditionCapturesAreALossUntilASnapshot() throws Exception {
    site.source.run("CREATE TABLE public.t (id int PRIMARY KEY, a text)");
    site.capture("public.t", options(ColumnChoice.ALL, "id < 2"), false);
    site.source.run("INSERT INTO public.t VALUES (1, 'a'), (2, 'b')");

    site.capture("public.t", options(ColumnChoice.ALL, null), true);

    isALossUntilTheSnapshotIsTaken();
  }

  @Test
  void soAreColumnsThatItLeftOutBefore() throws Exception {
    site.source.run("CREATE TABLE public.t (id int PRIMARY KEY, a text, b text)");
    site.capture("public.t", options(new ColumnChoice(List.of("id", "a"), List.of()), null), false);
    site.source.run("INSERT INTO public.t VALUES (1, 'a', 'b')");

    site.capture("public.t", options(new ColumnChoice(List.of(), List.of("a")), null), true);
    isALossUntilTheSnapshotIsTaken();
    site.capture("public.t", options(new ColumnChoice(List.of("id"), List.of()), null), true);
    assertThat(losses()).isEmpty();

    site.capture("public.t", options(ColumnChoice.ALL, null), true);
    isALossUntilTheSnapshotIsTaken();
    site.provesEqual("public.t");
  }

  @Test
  void aColumnThatIsLeftOutIsNoNewOneUnderAnotherName() throws Exception {
    site.source.run("CREATE TABLE public.t (id int PRIMARY KEY, m public.mood)");
    site.capture("public.t", options(new ColumnChoice(List.of(), List.of("m")), null), false);
    site.source.run(
        "INSERT INTO public.t VALUES (1, 'a')",
        "ALTER TABLE public.t RENAME m TO n",
        "VACUUM FULL public.t",
        "ALTER TYPE public.mood RENAME VALUE 'a' TO 'aa'");
    assertThat(losses()).isEmpty();
  }

  private static CaptureOptions options(ColumnChoice columns, @Nullable String when) {
    return new CaptureOptions(columns, when, null, OldImage.KEY);
  }
}
