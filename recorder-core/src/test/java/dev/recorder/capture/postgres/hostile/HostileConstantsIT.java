package dev.recorder.capture.postgres.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.CaptureSite;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.WithCaptureSite;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Constants in expressions of captures, which the server reads as values of types while it parses:
 * what the owner of a type has put into it must not run with the rights of whoever has it parsed.
 * Nor may it run, or what an operator or a function leads to, with the rights of captures.
 */
class HostileConstantsIT extends WithCaptureSite {
  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE SEQUENCE traps",
        "GRANT USAGE ON traps TO PUBLIC",
        """
        CREATE FUNCTION evil(text) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
          IF current_user <> 'capture_shop' THEN PERFORM nextval('public.traps'); END IF;
          RETURN true;
        END $$\
        """);
  }

  private static WantedCapture ofLog(String when) {
    return new WantedCapture(
        CaptureSite.ORDERS,
        "public.victim",
        new CaptureOptions(ColumnChoice.ALL, when, null, OldImage.KEY));
  }

  private static WantedCapture ofDocuments(String entity) {
    return new WantedCapture(
        CaptureSite.ACCOUNTS, "public.victim", CaptureOptions.ofDocuments(entity, null));
  }

  /** The owner of a table gives one of its columns another type. */
  private void turn(String type, String using) throws SQLException {
    site.run(
        "CREATE DOMAIN l AS text CHECK (public.evil(VALUE))",
        "CREATE TYPE held AS (name l)",
        "CREATE TYPE span AS RANGE (SUBTYPE = l)",
        "CREATE DOMAIN many AS l[]",
        "ALTER TABLE victim ALTER tag TYPE %s USING %s".formatted(type, using));
  }

  private void assertNothingRan() throws SQLException {
    assertThat(site.database.one("SELECT is_called FROM public.traps")).isEqualTo("f");
  }

  private static final String TYPES =
      """
      l[]     | tag @> '{vip}'         | text[] | tag
      many    | tag @> '{vip}'         | text[] | tag
      span    | tag > '[a,b]'          | text   | public.span('a', 'b')
      held    | coalesce(tag, '(vip)') IS NULL | text   | ROW('a')::public.held
      l       | ARRAY[tag] @> '{vip}'  | text   | tag
      span[]  | 'a' < ANY (ARRAY['b', tag::text]) AND tag @> '{"[a,b]"}' | text[] | '{}'
      """;

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = TYPES)
  void aDomainIsNotCheckedWhileAConditionIsParsed(
      String type, String expression, String before, String using) throws Exception {
    site.run("CREATE TABLE victim (id int PRIMARY KEY, tag %s)".formatted(before));
    try (Captures captures = site.captures()) {
      captures.add(ofLog(expression), false);
      turn(type, using);

      refuses(() -> captures.add(ofLog(expression), true));
      refuses(() -> captures.script(ofLog(expression), true));
      refuses(
          () -> captures.snapshot(CaptureSite.ORDERS, "public.victim", false, (done, whole) -> {}));
      captures.check();
    }
    assertNothingRan();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = TYPES)
  void norIsItWhileAnEntityIs(String type, String expression, String before, String using)
      throws Exception {
    site.run("CREATE TABLE victim (id int PRIMARY KEY, tag %s)".formatted(before));
    String entity = "CASE WHEN %s THEN id END".formatted(expression);
    try (Captures captures = site.captures()) {
      captures.add(ofDocuments(entity), false);
      turn(type, using);

      refuses(() -> captures.add(ofDocuments(entity), true));
      refuses(() -> captures.script(ofDocuments(entity), true));
      assertThat(captures.check())
          .singleElement()
          .extracting(CaptureFinding::text)
          .asString()
          .startsWith("whether statements on it fail is not known: --entity '")
          .contains("' has a constant that is read as type ", " domain public.l of role ");
    }
    assertNothingRan();
  }

  /** Also of what is no column of the table. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          SELECT o.id FROM public.other o WHERE o.tags @> '{vip}'
          SELECT id WHERE '{vip}'::public.l[] IS NOT NULL
          SELECT id WHERE public.many '{vip}' IS NOT NULL
          SELECT id WHERE public.tagged('{vip}')
          SELECT id WHERE public.tags(id) IS DISTINCT FROM '{vip}'
          """)
  void norOfAnythingElseThatItNames(String entity) throws Exception {
    site.run("CREATE TABLE victim (id int PRIMARY KEY, tag text)");
    turn("text", "tag");
    site.run(
        "CREATE TABLE other (id int, tags l[])",
        "CREATE FUNCTION tagged(l[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true'",
        "CREATE FUNCTION tags(int) RETURNS l[] LANGUAGE sql IMMUTABLE AS 'SELECT NULL::public.l[]'");

    try (Captures captures = site.captures()) {
      refuses(() -> captures.add(ofDocuments(entity), false));
    }
    assertNothingRan();
  }

  @Test
  void aDomainOfWhomeverHasItParsedIsNoHindrance() throws Exception {
    site.run("CREATE TABLE victim (id int PRIMARY KEY, tag text[])");
    turn("l[]", "tag");
    site.database.execute(
        "ALTER DOMAIN public.l OWNER TO postgres", "ALTER FUNCTION public.evil OWNER TO postgres");

    site.captureEntities("victim", "CASE WHEN tag @> '{vip}' THEN id END");
  }

  private void refuses(ThrowingCallable what) {
    assertThatThrownBy(what)
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContainingAll("has a constant that is read as type ", "domain public.l of role");
  }

  /** In whatever form they are. */
  @Test
  void constantsOfTheServersTypesAreNoHindrance() throws Exception {
    site.run(
        "CREATE TYPE mood AS ENUM ('fine')",
        "CREATE TABLE victim (id int PRIMARY KEY, name text, at timestamptz, mood mood, doc jsonb)");
    List<String> conditions =
        List.of(
            "name IN ('a', 'it''s') OR name LIKE 'a!_' ESCAPE '!' OR name = E'b'\n 'c'",
            "at > '2026-01-01' AND at < timestamp with time zone '2027-01-01'",
            "at + interval '1' day > date '2026-01-01' AT TIME ZONE 'UTC'",
            "extract('year' FROM at) > 2000 AND extract(month FROM at) = '1'",
            "id > numeric(10, 2) '1.5' AND id < float8 '7' AND id <> '8'",
            "name = U&'d!0061' UESCAPE '!' OR name = N'x' OR B'101' = '101'",
            "doc @> '{\"a\": 1}' AND doc ->> 'b' = ANY ('{c,d}') AND doc @@ '$.a > 1'",
            "name IS DISTINCT FROM 'a' AND trim(BOTH 'x' FROM name) <> 'y'",
            "CASE name WHEN 'a' THEN 'b' ELSE name END BETWEEN SYMMETRIC 'a' AND 'c'",
            "(name, id) > ('a', '1') AND position('a' IN name) > 0 AND name SIMILAR TO 'a'",
            "name COLLATE \"C\" > 'a' AND '1' + id = 2 AND coalesce(name, 'x') <> ''");
    List<String> entities =
        List.of(
            "'customer/' || id",
            "SELECT id WHERE mood = 'fine' OR mood IN ('fine') OR public.mood 'fine' = mood",
            "VALUES ('a'), (name)",
            "SELECT 'a' || v FROM (VALUES ('x'), ('y')) AS v (v) GROUP BY 'a' || v LIMIT '1'",
            "SELECT 'a' UNION SELECT name",
            "SELECT x.a FROM xmltable('/r' PASSING xml '<r/>' COLUMNS a text PATH '@a' DEFAULT 'b')"
                + " AS x",
            "SELECT string_agg(v, ',' ORDER BY v) FROM unnest(ARRAY[name, 'b']) AS v",
            "SELECT w FROM json_to_record('{}') AS v (w text) WHERE w <> 'a'");
    try (Captures captures = site.captures()) {
      for (String when : conditions) {
        assertThatCode(() -> captures.script(ofLog(when), true))
            .as(when)
            .doesNotThrowAnyException();
      }
      for (String entity : entities) {
        assertThatCode(() -> captures.script(ofDocuments(entity), true))
            .as(entity)
            .doesNotThrowAnyException();
      }
    }
  }

  @Test
  void aConstantThatIsNoValueOfItsTypeIsStillSaid() throws Exception {
    site.run("CREATE TABLE victim (id int PRIMARY KEY)");
    try (Captures captures = site.captures()) {
      assertThatThrownBy(() -> captures.script(ofLog("id > 'x'"), true))
          .hasMessageContaining("invalid input syntax for type integer: \"x\"");
    }
  }

  /** What a superuser has made still calls what it was made of. */
  private void plantUnderASuperusers() throws SQLException {
    site.database.execute("CREATE SCHEMA m AUTHORIZATION " + CaptureSite.APPLICATION);
    site.run(
        "GRANT USAGE ON SCHEMA m TO PUBLIC",
        """
        CREATE FUNCTION m.evil(text, text DEFAULT '') RETURNS boolean LANGUAGE plpgsql IMMUTABLE
        AS $$ BEGIN PERFORM nextval('public.traps'); RETURN true; END $$\
        """,
        "CREATE DOMAIN m.dom AS text CHECK (m.evil(VALUE))",
        "CREATE TYPE m.held AS (a m.dom)",
        "CREATE FUNCTION m.good(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS"
            + " 'SELECT $1 = $2'",
        "CREATE OPERATOR m.=== (FUNCTION = m.evil, LEFTARG = text, RIGHTARG = text)",
        "CREATE OPERATOR m.!== (FUNCTION = m.evil, LEFTARG = text, RIGHTARG = text)",
        "CREATE OPERATOR m.== (FUNCTION = m.good, LEFTARG = text, RIGHTARG = text,"
            + " NEGATOR = OPERATOR(m.!==))");
    site.database.execute(
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        "ALTER OPERATOR m.=== (text, text) OWNER TO postgres",
        "ALTER OPERATOR m.== (text, text) OWNER TO postgres",
        "ALTER FUNCTION m.good OWNER TO postgres",
        "CREATE DOMAIN public.checked AS text CHECK (m.evil(VALUE))",
        "CREATE DOMAIN public.negated AS text CHECK (NOT VALUE OPERATOR(m.==) 'x')",
        "CREATE TYPE public.comp AS (name m.dom)",
        "CREATE TYPE public.span AS RANGE (SUBTYPE = m.dom)",
        "CREATE TYPE public.mood AS ENUM ('a')",
        "CREATE FUNCTION m.to_json(public.mood) RETURNS json LANGUAGE plpgsql IMMUTABLE AS"
            + " $$ BEGIN PERFORM nextval('public.traps'); RETURN '1'; END $$",
        "CREATE CAST (public.mood AS json) WITH FUNCTION m.to_json(public.mood)",
        "ALTER FUNCTION m.to_json OWNER TO " + CaptureSite.APPLICATION,
        "CREATE FUNCTION public.defaulted(text, boolean DEFAULT m.evil('')) RETURNS boolean"
            + " LANGUAGE sql IMMUTABLE AS 'SELECT $2'",
        "CREATE FUNCTION public.both(text, OUT m public.mood, OUT n int) LANGUAGE sql IMMUTABLE"
            + " AS 'SELECT ''a''::public.mood, 1'",
        "CREATE DOMAIN public.comps AS public.comp",
        "CREATE TABLE public.victim (id int PRIMARY KEY, note text NOT NULL, doc jsonb NOT NULL,"
            + " mood public.mood, kept public.comps)",
        "ALTER TABLE public.victim OWNER TO " + CaptureSite.APPLICATION);
  }

  private void refusesUnderASuperusers(CaptureOptions options, String culprit) throws Exception {
    plantUnderASuperusers();

    assertThatThrownBy(() -> site.capture("victim", options))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContainingAll(culprit, ", whose owner capture_shop could");
    assertNothingRan();
  }

  /** The operator, type or function itself belongs to a superuser. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '~',
      textBlock =
          """
          note OPERATOR(m.===) 'x' # function m.evil(text,text)
          note::public.checked IS NOT NULL # function m.evil(text,text)
          note::public.negated IS NOT NULL # operator m.!==(text,text)
          (('(' || note || ')')::public.comp).name IS NOT NULL # type m.dom
          (jsonb_populate_record(kept, doc)).name IS NOT NULL # type m.dom
          ('[' || note || ',z]')::public.span IS NOT NULL # type m.dom
          NOT (note OPERATOR(m.==) 'x') # operator m.!==(text,text)
          to_json(mood) IS NOT NULL # function m.to_json(public.mood)
          to_jsonb(mood) IS NOT NULL # function m.to_json(public.mood)
          to_json(public.both(note)) IS NOT NULL # function m.to_json(public.mood)
          public.defaulted(note) # function m.evil(text,text)
          """)
  void whatASuperusersCallsIsAsForeign(String when, String culprit) throws Exception {
    refusesUnderASuperusers(
        new CaptureOptions(ColumnChoice.ALL, when, null, OldImage.KEY), culprit);
  }

  /** Of which PostgreSQL writes no dependency. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '~',
      textBlock =
          """
          JSON_VALUE(doc, '$.a' RETURNING m.dom) # type m.dom
          JSON_QUERY(doc, '$' RETURNING m.held) # type m.held
          JSON_QUERY(doc, '$' RETURNING public.comp) # type m.dom
          """)
  void soIsATypeThatJsonIsReadAs(String expression, String culprit) throws Exception {
    assumeThat(site.database.number("SELECT current_setting('server_version_num')::int"))
        .isGreaterThanOrEqualTo(170_000);
    String when = expression + " IS NOT NULL";
    refusesUnderASuperusers(
        new CaptureOptions(ColumnChoice.ALL, when, null, OldImage.KEY), culprit);

    String key = "coalesce((%s)::text, 'x')".formatted(expression);
    assertThatThrownBy(
            () ->
                site.capture(
                    "victim", new CaptureOptions(ColumnChoice.ALL, null, key, OldImage.KEY)))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContainingAll("--key", culprit, ", whose owner capture_shop could");
    assertNothingRan();
  }

  /** All that is to be read, at once; and that is enough. */
  @Test
  void theRefusalNamesTheFunctionBesideTheOperator() throws Exception {
    plantUnderASuperusers();
    CaptureOptions options =
        new CaptureOptions(ColumnChoice.ALL, "note OPERATOR(m.!==) 'x'", null, OldImage.KEY);

    assertThatThrownBy(() -> site.capture("victim", options))
        .hasMessageContaining(
            "uses function m.evil(text,text), operator m.!==(text,text), whose owner capture_shop");

    site.database.execute(
        "ALTER OPERATOR m.!== (text, text) OWNER TO postgres",
        "ALTER FUNCTION m.evil OWNER TO postgres");
    site.capture("victim", options);
  }
}
