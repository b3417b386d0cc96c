package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import dev.recorder.replay.ReplayNote;
import dev.recorder.replay.ReplayNote.ReplayNoteKind;
import dev.recorder.replay.ReplayPosition;
import dev.recorder.replay.ReplayResult;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that the target's types cannot read, and types that others have made there. */
class ReplayTypesIT {
  private static final String TASK = "public.task";
  private static final int ALL = 50_000;

  private ReplaySite site;

  @BeforeEach
  void setUp() throws Exception {
    site = new ReplaySite();
    site.account();
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  private void task(String type) throws Exception {
    site.change("schema", TASK, columns("{\"number\":2,\"name\":\"v\",\"type\":\"" + type + "\"}"));
  }

  private static String columns(String column) {
    return ",\"columns\":[{\"number\":1,\"name\":\"id\",\"type\":\"integer\"},"
        + column
        + "],\"key\":[\"id\"]";
  }

  private void put(int id, String value) throws Exception {
    site.change(
        "insert",
        TASK,
        ",\"key\":{\"id\":%1$d},\"after\":{\"id\":%1$d,\"v\":%2$s}".formatted(id, value));
  }

  private List<ReplayNote> replay() throws Exception {
    site.source.record(ALL);
    try (JdbcReplayTarget into = site.open()) {
      ReplayPosition from = into.position().orElse(ReplayPosition.of(1));
      List<ReplayNote> notes = new ArrayList<>();
      try (var slots = site.slots(site.source.store, from)) {
        slots.forEachRemaining(
            slot -> {
              into.stage(slot);
              notes.addAll(
                  into.apply(new ReplayPosition(slot.slot() + 1, slot.window().orElse(null))));
            });
      }
      return notes;
    }
  }

  private List<String> rows() throws Exception {
    return site.there("SELECT id || '=' || format('%s', v) FROM public.task ORDER BY id");
  }

  private String type() throws Exception {
    return site.there(
            "SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
                + " WHERE attrelid = 'public.task'::regclass AND attname = 'v'")
        .get(0);
  }

  @Test
  void aLabelThatTheTargetsEnumLacksMakesItsColumnTextAndTheRestGoesOn() throws Exception {
    site.target.execute("CREATE TYPE public.mood AS ENUM ('fine', 'ill')");
    task("public.mood");
    put(1, "\"fine\"");
    assertThat(replay()).isEmpty();
    assertThat(type()).isEqualTo("mood");
    put(2, "\"meh\"");
    site.change("insert", "public.account", ReplaySite.account(1, "a"));

    List<ReplayNote> told = replay();

    assertThat(rows()).containsExactly("1=fine", "2=meh");
    assertThat(site.accounts()).containsExactly("1=a");
    assertThat(told).hasSize(1);
    assertThat(told.get(0).kind()).isEqualTo(ReplayNoteKind.AS_TEXT);
    assertThat(told.get(0).text())
        .contains("meh", "the next 'schema' row of the table", "replay into a new database")
        .doesNotContain("USING");
    put(3, "\"what\"");
    task("public.mood");
    assertThat(replay()).isEmpty();
    assertThat(type()).isEqualTo("text");
    assertThat(rows()).containsExactly("1=fine", "2=meh", "3=what");

    site.target.execute(
        "ALTER TYPE public.mood ADD VALUE 'meh'", "ALTER TYPE public.mood ADD VALUE 'what'");
    task("public.mood");
    put(4, "\"ill\"");
    assertThat(replay()).isEmpty();
    assertThat(type()).isEqualTo("mood");
    assertThat(rows()).containsExactly("1=fine", "2=meh", "3=what", "4=ill");
  }

  @Test
  void theNextSchemaRowMakesItTheTypeAgainOnceAllValuesCanBeRead() throws Exception {
    task("public.mood");
    put(1, "\"fine\"");
    assertThat(replay())
        .singleElement()
        .extracting(ReplayNote::text)
        .asString()
        .contains("no type public.mood");
    site.target.execute("CREATE TYPE public.mood AS ENUM ('fine', 'ill')");
    task("public.mood");
    put(2, "\"ill\"");

    assertThat(replay()).isEmpty();

    assertThat(type()).isEqualTo("mood");
    assertThat(rows()).containsExactly("1=fine", "2=ill");
  }

  /** What names an object names none that the target has; a domain refuses; a type is newer. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "regclass|public.gone",
        "regprocedure|public.gone(integer)",
        "regrole|gone",
        "public.odd|2",
        "public.odd|",
        "public.moods|meh",
        "public.mood[]|{fine,meh}",
        "public.pair|(1,meh)",
        "public.strict|x",
        "date|99999999-01-01",
        "smallint|70000"
      })
  void soDoesWhateverValueItsTypeDoesNotRead(String type, String value) throws Exception {
    site.target.execute(
        "CREATE TYPE public.mood AS ENUM ('fine', 'ill')",
        "CREATE DOMAIN public.odd AS integer NOT NULL CHECK (VALUE % 2 = 1)",
        "CREATE DOMAIN public.moods AS public.mood",
        "CREATE TYPE public.pair AS (a integer, b public.mood)",
        "CREATE FUNCTION public.no(text) RETURNS boolean LANGUAGE plpgsql AS"
            + " $$BEGIN RAISE 'no'; END$$",
        "CREATE DOMAIN public.strict AS text CHECK (public.no(VALUE))");
    task(type);
    put(1, value == null ? "null" : "\"" + value + "\"");
    site.change("insert", "public.account", ReplaySite.account(1, "a"));
    site.source.record(ALL);

    ReplayResult result = site.replay();

    assertThat(result.asText()).containsExactly("public.task.v");
    assertThat(result.incomplete()).isEmpty();
    assertThat(type()).isEqualTo("text");
    assertThat(rows()).containsExactly("1=" + (value == null ? "" : value));
    assertThat(site.accounts()).containsExactly("1=a");
  }

  @Test
  void keysAndRowsWithoutAKeyBecomeTextTooAlsoInTheMiddleOfASnapshot() throws Exception {
    site.target.execute("CREATE TYPE public.mood AS ENUM ('fine', 'ill')");
    String mood = ",\"columns\":[{\"name\":\"m\",\"type\":\"public.mood\"}]";
    for (String table : new String[] {"public.keyed", "public.keyless"}) {
      String key = table.equals("public.keyed") ? ",\"key\":[\"m\"]" : "";
      site.change("schema", table, mood + key);
    }
    moods("insert", "fine");
    moods("insert", "ill");
    replay();
    site.change(
        "schema",
        "public.keyed",
        mood + ",\"key\":[\"m\"],\"snapshot\":\"begin\",\"visible\":\"1:1:\"");
    site.change("snapshot", "public.keyed", ",\"key\":{\"m\":\"fine\"},\"after\":{\"m\":\"fine\"}");
    replay();
    String begun = site.there("SELECT begun FROM recorder_replay.snapshots").get(0);
    site.change("snapshot", "public.keyed", ",\"key\":{\"m\":\"meh\"},\"after\":{\"m\":\"meh\"}");
    site.change("insert", "public.keyless", ",\"after\":{\"m\":\"meh\"}");
    site.change("delete", "public.keyless", ",\"before\":{\"m\":\"ill\"}");
    site.change(
        "schema",
        "public.keyed",
        mood + ",\"key\":[\"m\"],\"snapshot\":\"end\",\"begun\":" + begun);

    assertThat(replay()).hasSize(2);

    assertThat(site.there("SELECT m FROM public.keyed ORDER BY m")).containsExactly("fine", "meh");
    assertThat(site.there("SELECT m FROM public.keyless ORDER BY m"))
        .containsExactly("fine", "meh");
  }

  @Test
  void aTypeThatIsGivenBackInTheMiddleOfASnapshotIsThatOfItsKeysToo() throws Exception {
    String mood = ",\"columns\":[{\"name\":\"m\",\"type\":\"public.mood\"}],\"key\":[\"m\"]";
    site.change("schema", "public.keyed", mood);
    site.change("insert", "public.keyed", ",\"key\":{\"m\":\"a\"},\"after\":{\"m\":\"a\"}");
    replay();
    site.change("schema", "public.keyed", mood + ",\"snapshot\":\"begin\",\"visible\":\"1:1:\"");
    replay();
    site.target.execute("CREATE TYPE public.mood AS ENUM ('a', 'b')");
    site.change("schema", "public.keyed", mood);
    site.change("snapshot", "public.keyed", ",\"key\":{\"m\":\"b\"},\"after\":{\"m\":\"b\"}");

    assertThat(replay()).isEmpty();
    assertThat(site.there("SELECT m::text FROM public.keyed ORDER BY m")).containsExactly("a", "b");
  }

  private void moods(String op, String mood) throws Exception {
    String row = "{\"m\":\"" + mood + "\"}";
    site.change(op, "public.keyed", ",\"key\":" + row + ",\"after\":" + row);
    site.change(op, "public.keyless", ",\"after\":" + row);
  }

  @Test
  void aValueOfRowsThatWereThereIsKeptAsTextToo() throws Exception {
    site.target.execute("CREATE TYPE public.mood AS ENUM ('fine', 'ill')");
    site.change(
        "schema",
        TASK,
        ",\"columns\":[{\"number\":1,\"name\":\"id\",\"type\":\"integer\"}],\"key\":[\"id\"]");
    site.change("insert", TASK, ",\"key\":{\"id\":1},\"after\":{\"id\":1}");
    site.change(
        "schema",
        TASK,
        columns(
            "{\"number\":2,\"name\":\"v\",\"type\":\"public.mood\",\"existing_rows\":\"meh\"}"));

    List<ReplayNote> told = replay();

    assertThat(told).extracting(ReplayNote::kind).containsExactly(ReplayNoteKind.AS_TEXT);
    assertThat(rows()).containsExactly("1=meh");
  }

  private void id() throws Exception {
    site.change(
        "schema",
        TASK,
        ",\"columns\":[{\"number\":1,\"name\":\"id\",\"type\":\"integer\"}],\"key\":[\"id\"]");
    site.change("insert", TASK, ",\"key\":{\"id\":1},\"after\":{\"id\":1}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"m.numbered", "m.numbers", "m.numbered[]", "m.numbered_pair"})
  void noDefaultOfADomainsOwnerRunsAndGivesARowAValue(String type) throws Exception {
    site.target.server().createRole("default_owner", "x");
    site.target.execute(
        "CREATE SCHEMA m AUTHORIZATION default_owner",
        "SET ROLE default_owner",
        "CREATE FUNCTION m.ran() RETURNS integer LANGUAGE plpgsql AS"
            + " $$BEGIN RAISE 'ran as %', current_user USING ERRCODE = 'XX000'; END$$",
        "CREATE DOMAIN m.numbered AS integer DEFAULT m.ran()",
        "CREATE DOMAIN m.numbers AS m.numbered",
        "CREATE TYPE m.numbered_pair AS (a m.numbered)",
        "GRANT USAGE ON SCHEMA m TO PUBLIC",
        "RESET ROLE");
    id();
    task(type);

    assertThat(replay())
        .singleElement()
        .extracting(ReplayNote::text)
        .asString()
        .contains("domain m.number", "of role default_owner");

    assertThat(type()).isEqualTo("text");
    assertThat(rows()).containsExactly("1=");
  }

  @Test
  void rowsThatWereThereHaveNoDefaultOfADomainThatIsTrusted() throws Exception {
    site.target.execute(
        "CREATE DOMAIN public.five AS integer DEFAULT 5",
        "CREATE DOMAIN public.odd AS integer DEFAULT 5 CHECK (VALUE % 2 = 1)");
    for (String type : new String[] {"five", "odd"}) {
      id();
      task("public." + type);
      put(2, "7");

      assertThat(replay()).isEmpty();

      assertThat(type()).isEqualTo(type);
      assertThat(rows()).containsExactly("1=", "2=7");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NOT NULL", "CHECK (VALUE IS NOT NULL)"})
  void anAddedColumnThatIsNeverNullIsTextAndTheRowsStay(String constraint) throws Exception {
    site.target.execute("CREATE DOMAIN public.filled AS integer DEFAULT 5 " + constraint);
    id();
    task("public.filled");
    put(2, "7");

    assertThat(replay()).extracting(ReplayNote::kind).containsExactly(ReplayNoteKind.AS_TEXT);

    assertThat(type()).isEqualTo("text");
    assertThat(rows()).containsExactly("1=", "2=7");
  }

  @Test
  void withoutARowItIsOfItsType() throws Exception {
    site.target.execute("CREATE DOMAIN public.filled AS integer NOT NULL");
    id();
    site.change("delete", TASK, ",\"key\":{\"id\":1},\"before\":{\"id\":1}");
    task("public.filled");
    put(2, "7");

    assertThat(replay()).isEmpty();

    assertThat(type()).isEqualTo("filled");
    assertThat(rows()).containsExactly("2=7");
  }

  /** It would run with the rights of the replay's role. */
  @Test
  void noCastAndNoCheckOfATypesOwnerRuns() throws Exception {
    site.target.server().createRole("type_owner", "x");
    site.target.execute(
        "CREATE SCHEMA m AUTHORIZATION type_owner",
        "SET ROLE type_owner",
        "CREATE TYPE m.mood AS ENUM ('fine', 'ill')",
        "CREATE FUNCTION m.ran() RETURNS text LANGUAGE plpgsql AS"
            + " $$BEGIN RAISE 'ran as %', current_user USING ERRCODE = 'XX000'; END$$",
        "CREATE FUNCTION m.from_text(text) RETURNS m.mood LANGUAGE sql AS"
            + " $$SELECT (m.ran() || 'x')::m.mood$$",
        "CREATE FUNCTION m.to_text(m.mood) RETURNS text LANGUAGE sql AS $$SELECT m.ran()$$",
        "CREATE FUNCTION m.to_json(m.mood) RETURNS json LANGUAGE sql AS"
            + " $$SELECT to_json(m.ran())$$",
        "CREATE CAST (text AS m.mood) WITH FUNCTION m.from_text(text) AS IMPLICIT",
        "CREATE CAST (m.mood AS text) WITH FUNCTION m.to_text(m.mood) AS IMPLICIT",
        "CREATE CAST (m.mood AS json) WITH FUNCTION m.to_json(m.mood)",
        "CREATE DOMAIN m.checked AS text CHECK (m.ran() IS NOT NULL)",
        "CREATE TYPE m.pair AS (a integer, b m.checked)",
        "GRANT USAGE ON SCHEMA m TO PUBLIC",
        "RESET ROLE");
    String all =
        ",\"columns\":[{\"name\":\"m\",\"type\":\"%s\"},{\"name\":\"c\",\"type\":\"m.checked\"},"
            + "{\"name\":\"p\",\"type\":\"m.pair[]\"}]";
    String row = "{\"m\":\"%s\",\"c\":\"x\",\"p\":\"{\\\"(1,x)\\\"}\"}";
    for (String table : new String[] {"public.keyed", "public.keyless"}) {
      String key = table.equals("public.keyed") ? ",\"key\":[\"m\"]" : "";
      site.change("schema", table, all.formatted("text") + key);
      for (String value : new String[] {"fine", "ill"}) {
        site.change(
            "insert",
            table,
            ",\"key\":{\"m\":\"" + value + "\"},\"after\":" + row.formatted(value));
      }
      site.change("schema", table, all.formatted("m.mood") + key);
      site.change("delete", table, ",\"key\":{\"m\":\"fine\"},\"before\":" + row.formatted("fine"));
    }

    List<ReplayNote> told = replay();

    assertThat(told).extracting(ReplayNote::kind).containsOnly(ReplayNoteKind.AS_TEXT);
    assertThat(told)
        .extracting(ReplayNote::text)
        .anySatisfy(text -> assertThat(text).contains("domain m.checked of role type_owner"));
    for (String table : new String[] {"public.keyed", "public.keyless"}) {
      assertThat(site.there("SELECT format('%s %s %s', m, c, p) FROM " + table))
          .containsExactly("ill x {\"(1,x)\"}");
    }
    assertThat(site.there("SELECT pg_typeof(m)::text FROM public.keyless"))
        .containsExactly("m.mood");
  }

  /** A domain that was given to the replay's role, a range type, what is made of either. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "m.span|[1,2)",
        "m.spans|{[1,2)}",
        "m.span[]|{\"[1,2)\"}",
        "m.spanned|(\"[1,2)\")",
        "m.some_span|[1,2)",
        "m.called|1",
        "m.compared|1",
        "m.negated|1",
        "m.defaulted|1",
        "m.within|1"
      })
  void noFunctionOfOthersRunsByWayOfAType(String type, String value) throws Exception {
    site.target.server().createRole("function_owner", "x");
    site.target.execute(
        "CREATE SCHEMA m AUTHORIZATION function_owner",
        "SET ROLE function_owner",
        "CREATE TABLE m.ran (who text)",
        "GRANT INSERT ON m.ran TO PUBLIC",
        "GRANT USAGE ON SCHEMA m TO PUBLIC",
        "CREATE FUNCTION m.diff(float8, float8) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS"
            + " $$BEGIN INSERT INTO m.ran VALUES (current_user); RETURN $1 - $2; END$$",
        "CREATE FUNCTION m.same(integer, float8) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS"
            + " $$BEGIN INSERT INTO m.ran VALUES (current_user); RETURN true; END$$",
        "CREATE OPERATOR m.=== (FUNCTION = m.same, LEFTARG = integer, RIGHTARG = float8)",
        "CREATE TYPE m.span AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = m.diff,"
            + " MULTIRANGE_TYPE_NAME = m.spans)",
        "CREATE TYPE m.spanned AS (s m.span)",
        "CREATE DOMAIN m.some_span AS m.span",
        "CREATE DOMAIN m.called AS integer CHECK (m.same(VALUE, 1))",
        "CREATE DOMAIN m.compared AS integer CHECK (VALUE OPERATOR(m.===) 1)",
        "CREATE FUNCTION m.equal(integer, float8) RETURNS boolean LANGUAGE sql IMMUTABLE AS"
            + " 'SELECT $1 = $2'",
        "CREATE OPERATOR m.== (FUNCTION = m.equal, LEFTARG = integer, RIGHTARG = float8,"
            + " NEGATOR = OPERATOR(m.!==))",
        "CREATE OPERATOR m.!== (FUNCTION = m.same, LEFTARG = integer, RIGHTARG = float8,"
            + " NEGATOR = OPERATOR(m.==))",
        "CREATE DOMAIN m.negated AS integer CHECK (NOT VALUE OPERATOR(m.==) 7)",
        "CREATE DOMAIN m.defaulted AS integer DEFAULT m.diff(2, 1)",
        "CREATE DOMAIN m.within AS integer CHECK (VALUE::m.called > 0)",
        "RESET ROLE",
        "ALTER DOMAIN m.some_span OWNER TO recorder",
        "ALTER DOMAIN m.called OWNER TO recorder",
        "ALTER DOMAIN m.compared OWNER TO recorder",
        "ALTER DOMAIN m.negated OWNER TO recorder",
        "ALTER FUNCTION m.equal OWNER TO recorder",
        "ALTER DOMAIN m.defaulted OWNER TO recorder",
        "ALTER DOMAIN m.within OWNER TO recorder",
        "DELETE FROM m.ran");
    task(type);
    for (int id = 0; id < 5; id++) {
      put(id, "\"" + value.replace("\"", "\\\"") + "\"");
    }

    assertThat(replay())
        .singleElement()
        .extracting(ReplayNote::text)
        .asString()
        .contains("of role function_owner would run with the rights of the replay");

    try (Connection connection = site.target.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("ANALYZE public.task");
    }
    assertThat(type()).isEqualTo("text");
    assertThat(rows()).hasSize(5).contains("4=" + value);
    assertThat(site.there("SELECT who FROM m.ran")).isEmpty();
  }

  /** They may get a CHECK of their owner while they are in use. */
  @Test
  void noDomainOfOthersIsUsed() throws Exception {
    site.target.server().createRole("domain_owner", "x");
    site.target.execute(
        "CREATE DOMAIN public.plain AS integer", "ALTER DOMAIN public.plain OWNER TO domain_owner");
    task("public.plain");
    put(1, "7");

    assertThat(replay())
        .singleElement()
        .extracting(ReplayNote::text)
        .asString()
        .contains("domain public.plain of role domain_owner");

    assertThat(type()).isEqualTo("text");
  }

  /** A constraint and a view are what an operator may drop; no type is given up. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALTER TABLE public.task ADD CONSTRAINT mine CHECK (id < 2)|mine",
        "CREATE VIEW public.tasks AS SELECT v FROM public.task|view",
        "ALTER TABLE public.task ADD CONSTRAINT mine UNIQUE (v) DEFERRABLE INITIALLY DEFERRED|mine"
      })
  void whatSomebodyAddedInTheTargetIsNamedAndNotAskedToWaitFor(String added, String named)
      throws Exception {
    site.target.execute("CREATE TYPE public.mood AS ENUM ('fine', 'ill')");
    task("public.mood");
    put(1, "\"fine\"");
    replay();
    site.target.execute(added);
    put(2, "\"fine\"");
    task(named.equals("view") ? "character varying(9)" : "public.mood");

    assertThatThrownBy(this::replay)
        .isInstanceOfSatisfying(
            ReplayException.class, e -> assertThat(e.kind()).isEqualTo(ReplayErrorKind.OTHERS))
        .hasMessageContaining(named)
        .hasMessageContaining("drop it");

    assertThat(type()).isEqualTo("mood");
  }

  /** Which needs no more of the table than to read it. */
  @Test
  void aTypeThatBecomesADomainWhileItsColumnWaitsForTheTableIsText() throws Exception {
    site.target.server().createRole("stranger", TestDatabase.PASSWORD);
    site.target.execute(
        "CREATE SCHEMA odd AUTHORIZATION stranger",
        "GRANT USAGE ON SCHEMA odd TO PUBLIC",
        "CREATE TABLE public.ran (who name)",
        "GRANT INSERT ON public.ran TO PUBLIC",
        "SET ROLE stranger",
        "CREATE TYPE odd.mood AS ENUM ('fine')",
        """
        CREATE FUNCTION odd.ran(text) RETURNS boolean LANGUAGE plpgsql AS
        $$BEGIN INSERT INTO public.ran VALUES (current_user); RETURN true; END$$
        """);
    site.change("insert", "public.account", ReplaySite.account(1, "a"));
    site.source.record(ALL);
    site.replay();
    site.target.execute("GRANT SELECT ON public.account TO stranger");
    site.change(
        "schema",
        "public.account",
        """
        ,"columns":[{"name":"id","type":"integer"},{"name":"name","type":"text"},
        {"name":"mood","type":"odd.mood","existing_rows":"fine"}],"key":["id"]""");
    site.source.record(ALL);
    try (Connection stranger = site.other("stranger", "SELECT FROM public.account")) {
      site.replayBehind(
          stranger, "DROP TYPE odd.mood", "CREATE DOMAIN odd.mood AS text CHECK (odd.ran(VALUE))");
    }

    assertThat(site.there("SELECT who::text FROM public.ran")).isEmpty();
    assertThat(site.there("SELECT mood || pg_typeof(mood)::text FROM public.account"))
        .containsExactly("finetext");
  }

  private static final String[] ANY_CASE = {
    "CREATE COLLATION public.any_case"
        + " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
    "CREATE DOMAIN public.any AS text COLLATE public.any_case",
    "ALTER DOMAIN public.any OWNER TO " + TestDatabase.ROLE
  };

  private void anyCase(int n, String key) throws Exception {
    site.change(
        "insert",
        TASK,
        ",\"key\":{\"k\":\"%1$s\"},\"after\":{\"k\":\"%1$s\",\"n\":%2$d}".formatted(key, n));
  }

  private List<String> anyCases() throws Exception {
    return site.there("SELECT k || n FROM public.task ORDER BY n");
  }

  /** The column in the log's database may have a finer collation than its type. */
  @ParameterizedTest
  @ValueSource(strings = {"public.any", "public.any[]"})
  void keysThatATypesCollationCallsEqualAreTwo(String type) throws Exception {
    site.target.execute(ANY_CASE);
    String a = type.endsWith("]") ? "{a}" : "a";
    String other = type.endsWith("]") ? "{A}" : "A";
    site.change(
        "schema",
        TASK,
        ",\"columns\":[{\"number\":1,\"name\":\"k\",\"type\":\"%s\"},".formatted(type)
            + "{\"number\":2,\"name\":\"n\",\"type\":\"integer\"}],\"key\":[\"k\"]");
    anyCase(1, a);
    anyCase(2, other);

    assertThat(replay())
        .singleElement()
        .extracting(ReplayNote::text)
        .asString()
        .contains("collation public.any_case of its type calls different texts equal");
    assertThat(anyCases()).containsExactly(a + 1, other + 2);

    site.target.execute(
        "SET ROLE " + TestDatabase.ROLE,
        "DELETE FROM public.task",
        "ALTER TABLE public.task ALTER k TYPE %1$s USING k::%1$s".formatted(type));
    anyCase(3, a);
    anyCase(4, other);
    replay();
    assertThat(anyCases())
        .as("where an earlier version has the type")
        .containsExactly(a + 3, other + 4);
  }
}
