package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.postgres.DatabaseException;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be captured is refused with a sentence, and nothing has changed. */
class RefusedCapturesIT extends WithCaptureSite {
  private static final String STATE =
      "SELECT (SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal) || ' '"
          + " || (SELECT count(*) FROM pg_proc) || ' ' || (SELECT count(*) FROM pg_class)";

  private Captures captures;

  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE TABLE account (id int PRIMARY KEY, name text, amount int NOT NULL, doc jsonb)",
        "CREATE TABLE keyless (id int)",
        "CREATE VIEW shown AS SELECT * FROM account",
        "CREATE TABLE parted (id int) PARTITION BY LIST (id)",
        "CREATE TABLE part PARTITION OF parted DEFAULT",
        "CREATE TABLE parent (id int PRIMARY KEY)",
        "CREATE TABLE child () INHERITS (parent)",
        "CREATE FUNCTION mine(int) RETURNS int LANGUAGE sql VOLATILE AS 'SELECT 1'",
        "CREATE SEQUENCE numbers");
    site.database.execute(
        "CREATE FOREIGN DATA WRAPPER w",
        "CREATE SERVER s FOREIGN DATA WRAPPER w",
        "CREATE FOREIGN TABLE public.far (id int) SERVER s");
    captures = site.captures();
  }

  @AfterEach
  void close() throws Exception {
    captures.close();
  }

  /** As an extension has them, whose schema is in no search_path of ours. */
  @Test
  void anOperatorFunctionOrTypeOfAnotherSchemaIsToldByItsWholeName() throws Exception {
    site.run("CREATE TABLE pair (id int PRIMARY KEY, h jsonb)");
    site.database.execute(
        "CREATE FUNCTION at(jsonb, text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1 ->> $2'",
        "CREATE OPERATOR ->-> (LEFTARG = jsonb, RIGHTARG = text, FUNCTION = at)",
        "CREATE DOMAIN worth AS text");

    refuses("pair", when("h ->-> 'x' = 'y'"), "OPERATOR(public.->->)");
    refuses("pair", when("at(h, 'x') = 'y'"), ": write public.at");
    refuses("pair", when("h::worth = 'y'"), ": write public.worth");
    captures.add(
        new WantedCapture(CaptureSite.ORDERS, "pair", when("h OPERATOR(public.->->) 'x' = 'y'")),
        false);
  }

  private static CaptureOptions when(String condition) {
    return new CaptureOptions(ColumnChoice.ALL, condition, null, OldImage.KEY);
  }

  private void refuses(String table, CaptureOptions options, String... says) throws Exception {
    String before = site.database.one(STATE);
    assertThatThrownBy(
            () -> captures.add(new WantedCapture(CaptureSite.ORDERS, table, options), false))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContainingAll(says);
    assertThatThrownBy(
            () -> captures.script(new WantedCapture(CaptureSite.ORDERS, table, options), true))
        .isInstanceOf(RefusedCaptureException.class);
    assertThat(site.database.one(STATE)).isEqualTo(before);
  }

  private void refuses(String table, String... says) throws Exception {
    refuses(table, CaptureOptions.USUAL, says);
  }

  private static CaptureOptions with(@Nullable String when, @Nullable String key) {
    return new CaptureOptions(ColumnChoice.ALL, when, key, OldImage.KEY);
  }

  private static CaptureOptions columns(List<String> only, List<String> except) {
    return new CaptureOptions(new ColumnChoice(only, except), null, null, OldImage.KEY);
  }

  @Test
  void whatIsNoTableOfAnApplication() throws Exception {
    refuses("public.acount", "there is no table public.acount");
    refuses("public..x", "'public..x' is not the name of a table");
    refuses("a.b.c", "'a.b.c' has 3 parts");
    refuses("shown", "public.shown is a view: capture the tables that it reads");
    refuses("far", "public.far is a foreign table");
    refuses("numbers", "public.numbers is not a table");
    refuses("part", "public.part is a partition: capture public.parted");
    refuses("parent", "by INHERITS");
    refuses("child", "by INHERITS");
    refuses("handoff.orders", "belongs to PostgreSQL or to the recorder itself");
    refuses("pg_catalog.pg_class", "belongs to PostgreSQL");
    try (Connection other = site.connect();
        Statement statement = other.createStatement()) {
      statement.execute("CREATE TEMPORARY TABLE brief (id int PRIMARY KEY)");
      String schema =
          site.database.one(
              "SELECT relnamespace::regnamespace FROM pg_class WHERE relname = 'brief'");
      refuses(schema + ".brief", "is temporary");
    }
  }

  @Test
  void tablesWithoutAKeyUnlessTheWholeOldRowIsTold() throws Exception {
    refuses("keyless", "has no key", "--old all");
    site.run("CREATE TABLE later (id int PRIMARY KEY DEFERRABLE, n int UNIQUE DEFERRABLE)");
    refuses("later", "has no key", "not DEFERRABLE", "--old all");
    site.capture("keyless", OldImage.ALL);
  }

  /** Which is another text once that object is renamed, so that no change would find its row. */
  @ParameterizedTest
  @ValueSource(
      strings = {"regclass", "regrole", "regtype", "relations", "regproc[]", "place", "places"})
  void tablesWhoseKeyIsWrittenAsNamesOfObjects(String type) throws Exception {
    site.run(
        "CREATE DOMAIN relations AS regclass",
        "CREATE TYPE place AS (x int, r relations)",
        "CREATE DOMAIN places AS place[]",
        "CREATE TABLE named (r " + type + ")");
    site.run("CREATE UNIQUE INDEX ON named (r)", "ALTER TABLE named ALTER r SET NOT NULL");
    refuses("named", "has no key", "regclass", "--old all");

    site.run("ALTER TABLE named ADD n int UNIQUE NOT NULL");
    site.capture("named");
    String value = type.equals("place") ? "(0,0)" : type.matches(".*]|places") ? "{}" : "0";
    site.run("INSERT INTO named VALUES ('%s', 7)".formatted(value));
    assertThat(site.rows()).singleElement().asString().contains("\"key\":{\"n\":7}");
  }

  /** Two rows that such an index holds apart would be one in a copy. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "public.citext text_ops",
        "public.citext text_pattern_ops",
        "word text_ops",
        "words text_ops",
        "pair record_image_ops",
        "text lengths"
      })
  void tablesWhoseKeyIsByAnotherOperatorClass(String column) throws Exception {
    site.database.execute(
        "CREATE EXTENSION citext SCHEMA public",
        """
        CREATE OPERATOR CLASS public.lengths FOR TYPE text USING btree AS OPERATOR 1 <,
          OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 bttextcmp(text, text)
        """);
    String[] parts = column.split(" ");
    site.run(
        "CREATE DOMAIN word AS public.citext",
        "CREATE DOMAIN words AS word",
        "CREATE TYPE pair AS (n numeric)",
        "CREATE TABLE held (k " + parts[0] + " NOT NULL)",
        "CREATE UNIQUE INDEX a ON held (k " + parts[1] + ")");
    refuses("held", "has no key", "operator classes", "--old all");

    site.run("CREATE UNIQUE INDEX b ON held (k)");
    site.capture("held");
    site.run("DROP INDEX b", "DELETE FROM held");
    assertThat(site.changes()).last().asString().contains("schema").doesNotContain("\"key\"");
    assertThat(captures.check()).noneMatch(CaptureFinding::losesChanges);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text text_ops",
        "text text_pattern_ops",
        "text varchar_ops",
        "varchar text_ops",
        "varchar(9) varchar_pattern_ops",
        "char(9) bpchar_pattern_ops",
        "word text_pattern_ops",
        "mood enum_ops",
        "int[] array_ops",
        "int4range range_ops",
        "pair record_ops",
        "name name_ops"
      })
  void classesThatAreEqualWhereTheTypeIsAreKeys(String column) throws Exception {
    String[] parts = column.split(" ");
    site.run(
        "CREATE DOMAIN word AS varchar",
        "CREATE TYPE mood AS ENUM ('good')",
        "CREATE TYPE pair AS (n numeric)",
        "CREATE TABLE held (k " + parts[0] + " NOT NULL, n int)",
        "CREATE UNIQUE INDEX ON held (n, k " + parts[1] + ")",
        "ALTER TABLE held ALTER n SET NOT NULL");

    site.capture("held");
  }

  @Test
  void columnsThatAreNotThereOrBelongToTheKey() throws Exception {
    refuses("account", columns(List.of("id", "nam"), List.of()), "has no column nam that");
    refuses("account", columns(List.of(), List.of("nam")), "has no column nam that");
    refuses("account", columns(List.of("name"), List.of()), "column id belongs to the key");
    refuses("account", columns(List.of(), List.of("id")), "column id belongs to the key");
  }

  @Test
  void expressionsThatCannotBeUsed() throws Exception {
    refuses("account", with("amount >", null), "--when 'amount >' is not an expression");
    refuses("account", with("amont > 1", null), "column \"amont\" does not exist");
    refuses("account", with("amount", null), "is no condition: it has type integer");
    refuses("account", with("random() > 0.5", null), "is volatile: random()");
    refuses("account", with("public.mine(id) = 1", null), "is volatile: mine()");
    refuses("account", with("nextval('public.numbers') > 1", null), "is volatile: nextval()");
    refuses("account", with("EXISTS (SELECT FROM public.keyless)", null), "has a subquery");
    refuses("account", with("true); DROP TABLE account; --", null), "--when");
    refuses("account", with("amount > 1 -- really", null), "has a comment");
    refuses("account", with("count(*) > 1", null), "asks for more than the row");
    refuses("account", with("mine(id) = 1", null), "does not exist");
    refuses("account", with(null, "name"), "--key 'name' can be null: column name is not NOT NULL");
    refuses("account", with(null, "no_such"), "column \"no_such\" does not exist");
    refuses("account", with(null, " "), "is empty");
  }

  /** Before a trigger, they are null. */
  @Test
  void expressionsOverWhatIsGeneratedOnReading() throws Exception {
    assumeThat(site.database.number("SELECT current_setting('server_version_num')::int"))
        .isGreaterThanOrEqualTo(180_000);
    site.run("ALTER TABLE account ADD twice int NOT NULL GENERATED ALWAYS AS (id * 2) VIRTUAL");
    refuses("account", with("twice > 2", null), "--when 'twice > 2' names column twice", "virtual");
    refuses("account", with(null, "twice"), "--key 'twice' names column twice", "virtual");
  }

  /** Rows of before may have NULLs. */
  @Test
  void aKeyOfColumnsThatAreNotNullForNewRowsOnly() throws Exception {
    assumeThat(site.database.number("SELECT current_setting('server_version_num')::int"))
        .isGreaterThanOrEqualTo(180_000);
    site.run(
        "INSERT INTO keyless VALUES (NULL), (NULL)",
        "ALTER TABLE keyless ADD CONSTRAINT nn NOT NULL id NOT VALID",
        "CREATE UNIQUE INDEX ON keyless (id)",
        "ALTER TABLE account ADD CONSTRAINT nn NOT NULL name NOT VALID");
    refuses("keyless", "has no key");
    refuses("account", with(null, "name"), "can be null: column name is not NOT NULL");

    site.run("DELETE FROM keyless", "ALTER TABLE keyless VALIDATE CONSTRAINT nn");
    site.capture("keyless");
  }

  @Test
  void aTableThatIsCapturedAlready() throws Exception {
    site.capture("account");
    String before = site.database.one(STATE);
    assertThatThrownBy(() -> site.capture("public.account"))
        .hasMessageContaining("table public.account is captured by recorder orders already");
    assertThat(site.database.one(STATE)).isEqualTo(before);
  }

  @Test
  void aTableThatIsInUseAllTheTime() throws Exception {
    site.run("BEGIN", "INSERT INTO account VALUES (1, 'a', 1)");
    try (Connection connection = site.database.connectAsSuperuser()) {
      Arming arming = new Arming(connection, 2);
      List<String> statements =
          List.of(
              "SET LOCAL lock_timeout = '100ms'",
              "CREATE FUNCTION gone() RETURNS int LANGUAGE sql AS 'SELECT 1'",
              "LOCK TABLE public.account IN SHARE ROW EXCLUSIVE MODE");
      assertThatThrownBy(() -> arming.run(new TableName("public", "account"), statements))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("table public.account was in use each of 2 times");
      assertThat(site.database.one("SELECT count(*) FROM pg_proc WHERE proname = 'gone'"))
          .isEqualTo("0");
      site.run("COMMIT");
      arming.run(new TableName("public", "account"), statements);
    }
  }
}
