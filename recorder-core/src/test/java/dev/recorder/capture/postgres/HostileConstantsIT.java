package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Constants in expressions of captures, which the server reads as values of types while it parses:
 * what the owner of a type has put into it must not run with the rights of whoever has it parsed.
 */
class HostileConstantsIT {
  private CaptureSite site;

  @BeforeEach
  void create() throws Exception {
    site = new CaptureSite();
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

  @AfterEach
  void close() throws Exception {
    site.close();
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
}
