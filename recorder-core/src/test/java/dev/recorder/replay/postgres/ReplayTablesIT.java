package dev.recorder.replay.postgres;

import static dev.recorder.replay.postgres.ReplaySite.account;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import dev.recorder.replay.ReplayResult;
import dev.recorder.replay.postgres.ReplaySite.Transaction;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of tables: columns, types, keys, and what is in the log besides. */
class ReplayTablesIT {
  private static final String ACCOUNT = "public.account";
  private static final int ALL = 50_000;

  private ReplaySite site;

  @BeforeEach
  void setUp() throws Exception {
    site = new ReplaySite();
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void columnsThatComeAndGoAndChangeTheirTypeAreFollowed() throws Exception {
    site.account();
    site.change("insert", ACCOUNT, account(1, "17"));
    columns(
        "{\"name\":\"id\",\"type\":\"bigint\"},{\"name\":\"name\",\"type\":\"integer\"},"
            + "{\"name\":\"since\",\"type\":\"date\"}");
    site.change(
        "insert",
        ACCOUNT,
        ",\"key\":{\"id\":2},\"after\":{\"id\":2,\"name\":5,\"since\":\"2026-01-02\"}");
    columns("{\"name\":\"id\",\"type\":\"bigint\"},{\"name\":\"since\",\"type\":\"date\"}");
    site.change(
        "update", ACCOUNT, ",\"key\":{\"id\":1},\"after\":{\"id\":1,\"since\":\"2026-03-04\"}");
    site.source.record(3);

    site.replay();

    assertThat(site.there("SELECT a::text FROM public.account a ORDER BY id"))
        .containsExactly("(1,2026-03-04)", "(2,2026-01-02)");
    assertThat(site.there("SELECT pg_typeof(id)::text FROM public.account LIMIT 1"))
        .containsExactly("bigint");
  }

  @Test
  void columnsThatAreRenamedKeepTheirValuesAndAddedOnesHaveWhatTheRowsGot() throws Exception {
    columns(
        numbered(1, "id", "integer")
            + ","
            + numbered(2, "a", "text")
            + ","
            + numbered(3, "b", "text")
            + ","
            + numbered(4, "gone", "text"));
    site.change(
        "insert",
        ACCOUNT,
        ",\"key\":{\"id\":1},\"after\":{\"id\":1,\"a\":\"A\",\"b\":\"B\",\"gone\":\"G\"}");
    site.source.record(ALL);
    site.replay();
    columns(
        numbered(1, "key", "integer")
            + ","
            + numbered(2, "b", "text")
            + ","
            + numbered(3, "gone", "text")
            + ","
            + numbered(5, "a", "text")
            + ","
            + "{\"number\":6,\"name\":\"n\",\"type\":\"numeric(9,2)\",\"existing_rows\":\"5.00\"}",
        "key");
    site.change(
        "insert",
        ACCOUNT,
        ",\"key\":{\"key\":2},\"after\":{\"key\":2,\"b\":\"x\",\"gone\":null,\"a\":\"y\",\"n\":null}");
    site.source.record(1);

    site.replay();

    assertThat(site.there("SELECT ROW(key, b, gone, a, n)::text FROM public.account ORDER BY key"))
        .containsExactly("(1,A,B,,5.00)", "(2,x,,y,)");
  }

  private static String numbered(int number, String name, String type) {
    return "{\"number\":%d,\"name\":\"%s\",\"type\":\"%s\"}".formatted(number, name, type);
  }

  @Test
  void aKeyMayBecomeAnother() throws Exception {
    site.account();
    site.change("insert", ACCOUNT, account(1, "a"));
    site.source.record(ALL);
    site.replay();
    site.change(
        "schema",
        ACCOUNT,
        ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"},{\"name\":\"name\",\"type\":\"text\"}]"
            + ",\"key\":[\"name\",\"id\"]");
    site.change(
        "insert",
        ACCOUNT,
        ",\"key\":{\"name\":\"b\",\"id\":1},\"after\":{\"id\":1,\"name\":\"b\"}");
    site.source.record(ALL);

    site.replay();

    assertThat(site.accounts()).containsExactlyInAnyOrder("1=a", "1=b");
  }

  @Test
  void keysThatAreSwappedAndShiftedByAStatementArrive() throws Exception {
    site.account();
    site.change("insert", ACCOUNT, account(1, "one"));
    site.change("insert", ACCOUNT, account(2, "two"));
    site.source.record(ALL);
    site.replay();
    try (Transaction shift = site.begin()) { // SET id = id + 1: one statement, deletes first
      shift.payload(statement("delete", 900, ",\"key\":{\"id\":1}"));
      shift.payload(statement("delete", 900, ",\"key\":{\"id\":2}"));
      shift.payload(statement("insert", 900, account(2, "one")));
      shift.payload(statement("insert", 900, account(3, "two")));
      shift.commit();
    }
    site.source.record(1);

    site.replay();

    assertThat(site.accounts()).containsExactly("2=one", "3=two");
  }

  /** As 1.0 and 1.00 are; the row has the text that it was given last. */
  @Test
  void aKeyIsWhatItsTypeSaysAndNotItsText() throws Exception {
    site.change(
        "schema",
        "public.price",
        ",\"columns\":[{\"name\":\"n\",\"type\":\"numeric\"},{\"name\":\"v\",\"type\":\"text\"}]"
            + ",\"key\":[\"n\"]");
    site.change("insert", "public.price", ",\"key\":{\"n\":1.0},\"after\":{\"n\":1.0,\"v\":\"a\"}");
    site.change(
        "update", "public.price", ",\"key\":{\"n\":1.00},\"after\":{\"n\":1.00,\"v\":\"b\"}");
    site.source.record(ALL);

    site.replay();

    assertThat(site.there("SELECT n || v FROM public.price")).containsExactly("1.00b");
  }

  @Test
  void aTableWithoutAKeyIsChangedInATargetThatPublishesAllItsTables() throws Exception {
    site.target.execute("CREATE PUBLICATION everything FOR ALL TABLES");
    aTableWithoutAKeyHasAsManyEqualRowsAsItShould();
  }

  @Test
  void soIsOneThatLosesItsKey() throws Exception {
    site.target.execute("CREATE PUBLICATION everything FOR ALL TABLES");
    site.account();
    site.change("insert", ACCOUNT, account(1, "a"));
    site.change(
        "schema",
        ACCOUNT,
        ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"},"
            + "{\"name\":\"name\",\"type\":\"text\"}],\"key\":[]");
    site.change("delete", ACCOUNT, ",\"before\":{\"id\":1,\"name\":\"a\"}");
    site.source.record(ALL);

    site.replay();

    assertThat(site.there("SELECT a::text FROM public.account a")).isEmpty();
  }

  @Test
  void aTableWithoutAKeyHasAsManyEqualRowsAsItShould() throws Exception {
    String note = "public.note";
    site.change(
        "schema",
        note,
        ",\"columns\":[{\"name\":\"t\",\"type\":\"text\"},{\"name\":\"j\",\"type\":\"json\"}]");
    site.change("insert", note, ",\"after\":{\"t\":\"a\",\"j\":null}");
    site.change("insert", note, ",\"after\":{\"t\":\"a\",\"j\":null}");
    site.change("insert", note, ",\"after\":{\"t\":\"a\",\"j\":\"null\"}");
    site.change("insert", note, ",\"after\":{\"t\":\"\",\"j\":\"{\\\"b\\\": 1}\"}");
    site.change("insert", note, ",\"after\":{\"t\":null,\"j\":null}");
    site.source.record(ALL);
    site.replay();
    site.change("delete", note, ",\"before\":{\"t\":\"a\",\"j\":null}");
    site.change("delete", note, ",\"before\":{\"t\":null,\"j\":null}");
    site.change(
        "update",
        note,
        ",\"before\":{\"t\":\"\",\"j\":\"{\\\"b\\\": 1}\"},\"after\":{\"t\":\"c\",\"j\":null}");
    site.source.record(1);

    site.replay();

    assertThat(site.there("SELECT n::text FROM public.note n ORDER BY 1"))
        .containsExactly("(a,)", "(a,null)", "(c,)");
  }

  /** As the names are that statements here give to what they make of a row. */
  @Test
  void columnsMayHaveAnyName() throws Exception {
    String[] names = {"more", "row", "op", "c1", "seq", "gone", "after", "k1", "place", "ctid2"};
    StringBuilder columns = new StringBuilder();
    StringBuilder after = new StringBuilder();
    for (String name : names) {
      columns.append(",{\"name\":\"%s\",\"type\":\"text\"}".formatted(name));
      after.append(",\"%1$s\":\"of %1$s\"".formatted(name));
    }
    String said = ",\"columns\":[" + columns.substring(1) + "]";
    String row = "{" + after.substring(1) + "}";
    site.change("schema", "public.a", said);
    site.change("schema", "public.b", said + ",\"key\":[\"seq\",\"k1\"]");
    for (int i = 0; i < 2; i++) {
      site.change("insert", "public.a", ",\"after\":" + row);
      site.change("insert", "public.b", ",\"key\":{\"seq\":\"s\",\"k1\":\"k\"},\"after\":" + row);
    }
    site.change("delete", "public.a", ",\"before\":" + row);
    site.source.record(ALL);

    site.replay();

    assertThat(site.there("SELECT count(*) || min(t.more || t.row) FROM public.a t"))
        .containsExactly("1of moreof row");
    assertThat(site.there("SELECT count(*) || min(t.seq || t.k1) FROM public.b t"))
        .containsExactly("1of seqof k1");
  }

  @Test
  void aPartitionsTruncationRemovesItsRows() throws Exception {
    site.account();
    site.change("insert", ACCOUNT, account(1, "a"));
    site.change("insert", ACCOUNT, account(200, "b"));
    site.change("truncate", ACCOUNT, ",\"where\":\"((id IS NOT NULL) AND (id < 100))\"");
    site.change("insert", ACCOUNT, account(3, "c"));
    site.source.record(ALL);

    site.replay();

    assertThat(site.accounts()).containsExactly("3=c", "200=b");
  }

  @Test
  void rowsOfOthersInTheLogArePassedOver() throws Exception {
    site.account();
    try (Transaction others = site.begin()) {
      for (String payload :
          new String[] {
            "{}",
            "[1]",
            "\"text\"",
            "null",
            "{\"op\":\"insert\"}",
            "{\"op\":\"insert\",\"table\":\"public.account\"}",
            "{\"op\":\"insert\",\"table\":7,\"seq\":1}",
            "{\"op\":\"insert\",\"table\":\"public.account\",\"seq\":\"1\"}",
            "{\"op\":\"\\u0000\",\"table\":\"\\u0000\",\"seq\":1}",
            "{\"op\":\"\\ud800\",\"table\":\"a.b\",\"seq\":1}",
            "{\"op\":\"other\",\"table\":\"public.account\",\"seq\":1}",
            "{\"a\\\\b\":\"\\\\N\",\t\"c\":1}"
          }) {
        others.payload(payload);
      }
      others.change("snapshot", ACCOUNT, account(1, "a\\\\b\\tc")).commit();
    }
    site.source.record(4);

    ReplayResult result = site.replay();

    assertThat(site.accounts()).containsExactly("1=a\\b\tc");
    assertThat(result.rows()).isEqualTo(14);
    assertThat(result.changes()).isEqualTo(2);
  }

  /** Names that a statement has for rows of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"excluded", "t", "c", "v", "change", "removed", "each", "delta", "user"})
  void aTableAndAColumnMayBeCalledWhateverTheyAre(String name) throws Exception {
    String columns =
        ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"},{\"name\":\"%s\",\"type\":\"text\"}]";
    String old = "{\"id\":1,\"%s\":\"old\"}".formatted(name);
    String row = "{\"id\":1,\"%s\":\"new\"}".formatted(name);
    for (String table : new String[] {"public." + name, "keyless." + name}) {
      String key = table.startsWith("public") ? ",\"key\":[\"id\"]" : "";
      site.change("schema", table, columns.formatted(name) + key);
      site.change("insert", table, ",\"key\":{\"id\":1},\"after\":" + old);
      site.source.record(ALL);
      site.replay();
      site.change("update", table, ",\"key\":{\"id\":1},\"before\":" + old + ",\"after\":" + row);
      site.change("insert", table, ",\"key\":{\"id\":2},\"after\":{\"id\":2}");
      site.source.record(ALL);

      site.replay();

      String[] parts = table.split("\\.");
      assertThat(
              site.there(
                  "SELECT format('%%s=%%s', r.id, r.\"%2$s\") FROM \"%1$s\".\"%2$s\" r ORDER BY id"
                      .formatted(parts[0], parts[1])))
          .containsExactly("1=new", "2=");
    }
  }

  @Test
  void aTableThatNoReplayHasMadeIsNotTouched() throws Exception {
    site.target.execute("CREATE TABLE public.account (id integer PRIMARY KEY, name text)");
    site.account();
    site.change("truncate", ACCOUNT, "");
    site.source.record(ALL);

    assertThatThrownBy(site::replay)
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining("already, which no replay has made");
  }

  /** Also by who means well: the rows that were there before are in the log no more. */
  @ParameterizedTest
  @ValueSource(strings = {"GRANT ALL ON public.account TO recorder", "SELECT"})
  void aTableThatAMigrationDropsAndMakesAnewIsNotTouched(String granted) throws Exception {
    site.account();
    site.change("insert", ACCOUNT, account(1, "a"));
    site.source.record(ALL);
    site.replay();
    site.change("insert", ACCOUNT, account(2, "b"));
    site.source.record(ALL);
    try (Connection migration = site.target.connectAsSuperuser();
        Statement statement = migration.createStatement()) {
      migration.setAutoCommit(false);
      statement.execute("DROP TABLE public.account");
      statement.execute("CREATE TABLE public.account (id integer PRIMARY KEY, name text)");
      statement.execute(granted);

      assertThatThrownBy(() -> site.replayBehind(migration))
          .isInstanceOfSatisfying(
              ReplayException.class, e -> assertThat(e.kind()).isEqualTo(ReplayErrorKind.OTHERS))
          .hasMessageContaining("already, which has been made anew");
    }
    assertThat(site.accounts()).isEmpty();
  }

  /** The session that does so between two replays may be of the same role. */
  @Test
  void norIsOneThatTheRoleOfTheReplayHasMadeAnew() throws Exception {
    site.account();
    site.change("insert", ACCOUNT, account(1, "a"));
    site.source.record(ALL);
    site.replay();
    site.change("insert", ACCOUNT, account(2, "b"));
    site.source.record(ALL);
    try (Connection same = site.target.connect();
        Statement statement = same.createStatement()) {
      statement.execute("DROP TABLE public.account");
      statement.execute("CREATE TABLE public.account (id integer PRIMARY KEY, name text)");
    }

    assertThatThrownBy(site::replay)
        .isInstanceOfSatisfying(
            ReplayException.class, e -> assertThat(e.kind()).isEqualTo(ReplayErrorKind.OTHERS))
        .hasMessageContaining("already, which has been made anew")
        .hasMessageContaining("replay into another database");
    assertThat(site.accounts()).isEmpty();
  }

  /** It would be dropped, filled with NULL, or rounded, and nobody would know. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ADD note text DEFAULT 'mine' | DROP note              | note text is new",
        "DROP name                    | ADD name text          | name text is gone",
        "RENAME name TO other         | RENAME other TO name   | other text is new, name text is gone",
        "ALTER name TYPE char(1)      | ALTER name TYPE text   | name character(1) is new, name text"
      })
  void aTableWhoseColumnsSomebodyHasChangedIsNotTouchedUntilTheyArePutBack(
      String changed, String putBack, String named) throws Exception {
    site.account();
    site.change("insert", ACCOUNT, account(1, "a"));
    site.source.record(ALL);
    site.replay();
    site.target.execute("ALTER TABLE public.account " + changed);
    site.change("insert", ACCOUNT, account(2, "bb"));
    site.source.record(ALL);

    assertThatThrownBy(site::replay)
        .isInstanceOfSatisfying(
            ReplayException.class, e -> assertThat(e.kind()).isEqualTo(ReplayErrorKind.OTHERS))
        .hasMessageContaining("other columns than the last replay left here: " + named);
    assertThat(site.target.number("SELECT count(*) FROM public.account")).isEqualTo(1);

    site.target.execute("ALTER TABLE public.account " + putBack);
    site.replay();
    assertThat(site.accounts()).contains("2=bb");
  }

  /** Nothing of the table has changed, and there is nothing to put back. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TYPE public.st SET SCHEMA more",
        "ALTER TYPE public.st RENAME TO state",
        "ALTER SCHEMA own RENAME TO more_own"
      })
  void aTypeOfTheTargetMayHaveAnotherName(String definition) throws Exception {
    site.target.execute(
        "CREATE TYPE public.st AS ENUM ('open')",
        "CREATE SCHEMA own",
        "CREATE DOMAIN own.short AS varchar(9)",
        "CREATE SCHEMA more",
        "GRANT USAGE ON SCHEMA own, more TO PUBLIC",
        "ALTER DOMAIN own.short OWNER TO " + TestDatabase.ROLE,
        "ALTER TYPE public.st OWNER TO " + TestDatabase.ROLE);
    columns(
        numbered(1, "id", "integer")
            + ","
            + numbered(2, "name", "own.short")
            + ","
            + numbered(3, "s", "public.st"));
    site.change("insert", ACCOUNT, account(1, "a"));
    site.source.record(ALL);
    assertThat(site.replay().asText()).isEmpty();

    site.target.execute(definition);
    for (int id = 2; id < 4; id++) {
      site.change("insert", ACCOUNT, account(id, "b"));
      site.source.record(ALL);
      site.replay();
    }

    assertThat(site.accounts()).containsExactly("1=a", "2=b", "3=b");
  }

  /** As each snapshot begins with one. */
  @Test
  void aSchemaRowThatChangesNothingWaitsForNoReader() throws Exception {
    String columns =
        numbered(1, "id", "integer") + "," + numbered(2, "name", "character varying(9)") + ",";
    columns(columns + numbered(3, "j", "jsonb"));
    site.source.record(ALL);
    site.replay();
    columns(columns + numbered(3, "j", "jsonb"));
    site.change("insert", ACCOUNT, account(2, "b"));
    site.source.record(ALL);
    try (Connection reader = site.other(TestDatabase.ROLE, "SELECT FROM public.account")) {
      site.replay();
      assertThat(site.accounts()).containsExactly("2=b");
      reader.commit();
    }
  }

  private void columns(String columns) throws Exception {
    columns(columns, "id");
  }

  private void columns(String columns, String key) throws Exception {
    site.change("schema", ACCOUNT, ",\"columns\":[" + columns + "],\"key\":[\"" + key + "\"]");
  }

  private static String statement(String op, int seq, String members) {
    return "{\"by\":\"recorder_capture\",\"op\":\"%s\",\"table\":\"%s\",\"seq\":%d%s}"
        .formatted(op, ACCOUNT, seq, members);
  }
}
