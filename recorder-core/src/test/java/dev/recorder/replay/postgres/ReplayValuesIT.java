package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of values, and of their types. */
class ReplayValuesIT {
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
  void valuesHaveTheTextThatTheyHadWhateverTheTargetsSettings() throws Exception {
    site.target.execute(
        "ALTER DATABASE "
            + site.target.name()
            + " SET DateStyle = 'German'; ALTER DATABASE "
            + site.target.name()
            + " SET IntervalStyle = 'iso_8601'; ALTER DATABASE "
            + site.target.name()
            + " SET extra_float_digits = -10; ALTER DATABASE "
            + site.target.name()
            + " SET bytea_output = 'escape'; ALTER DATABASE "
            + site.target.name()
            + " SET TimeZone = 'Asia/Tokyo'");
    String[][] values = {
      {"numeric", "1.500"},
      {"numeric(12,2)", "12.50"},
      {"numeric", "\"NaN\""},
      {"double precision", "\"0.1\""},
      {"real", "\"-Infinity\""},
      {"timestamp with time zone", "\"2026-03-04 05:06:07.000001+00\""},
      {"timestamp(3) without time zone", "\"2026-03-04 05:06:07.5\""},
      {"interval", "\"1 year 2 mons -3 days +04:05:06\""},
      {"date", "\"4714-11-24 BC\""},
      {"bytea", "\"\\\\x00ff5c\""},
      {"integer[]", "\"[0:1]={1,NULL}\""},
      {"text[]", "\"{\\\"a,b\\\",\\\"\\\\\\\\\\\",NULL}\""},
      {"json", "\"{\\\"b\\\" : 1,  \\\"b\\\":2}\""},
      {"jsonb", "\"null\""},
      {"json", "\"null\""},
      {"json", "null"},
      {"boolean", "\"t\""},
      {"character(5)", "\"ab   \""},
      {"character varying(8)", "\"tab\\there\""},
      {"int4range", "\"[1,5)\""},
      {"money", "\"$1,234.50\""},
      {"bit varying(9)", "\"101\""},
      {"\"char\"", "\"x\""},
      {"uuid", "\"00000000-0000-0000-0000-000000000001\""},
      {"point", "\"(0.1,2)\""},
      {"text", "\"\""},
      {"public.mood", "\"fine\""},
    };
    StringBuilder columns = new StringBuilder("{\"name\":\"id\",\"type\":\"integer\"}");
    StringBuilder after = new StringBuilder("\"id\":1");
    for (int i = 0; i < values.length; i++) {
      columns
          .append(",{\"name\":\"c%d\",\"type\":\"".formatted(i))
          .append(values[i][0].replace("\"", "\\\""))
          .append("\"}");
      after.append(",\"c%d\":".formatted(i)).append(values[i][1]);
    }
    site.change("schema", "public.v", ",\"columns\":[" + columns + "],\"key\":[\"id\"]");
    site.change("insert", "public.v", ",\"key\":{\"id\":1},\"after\":{" + after + "}");
    site.source.record(ALL);

    site.replay();

    String pinned =
        "SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres';"
            + " SET extra_float_digits = 1; SET bytea_output = 'hex'; SET lc_monetary = 'C'; ";
    for (int i = 0; i < values.length; i++) {
      String expected =
          site.source
              .ask("SELECT coalesce('[" + values[i][1].replace("'", "''") + "]'::json->>0, '∅')")
              .get(0);
      try (Connection connection = site.target.connectAsSuperuser();
          Statement statement = connection.createStatement()) {
        statement.execute(pinned);
        try (ResultSet row =
            statement.executeQuery(
                "SELECT coalesce(to_json(x) #>> '{}', '∅'), pg_typeof(x)::text FROM"
                    + " (SELECT format('%s', c"
                    + i
                    + ") AS x, c"
                    + i
                    + " IS NULL AS n FROM public.v) AS s")) {
          row.next();
          String found = row.getString(1);
          assertThat(expected.equals("∅") ? "" : expected).as(values[i][0]).isEqualTo(found);
        }
      }
    }
    assertThat(
            site.there(
                "SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
                    + " WHERE attrelid = 'public.v'::regclass AND attname IN ('c1', 'c6', 'c26')"
                    + " ORDER BY attnum"))
        .containsExactly("numeric(12,2)", "timestamp(3) without time zone", "text");
  }

  /** Servers before 15 write such a byte otherwise, and read nothing else. */
  @Test
  void aByteThatIsNoCharacterByItselfIsTheSameByteInAnyTarget() throws Exception {
    site.change(
        "schema",
        "public.b",
        ",\"columns\":[{\"name\":\"q\",\"type\":\"\\\"char\\\"\"},{\"name\":\"id\",\"type\":\"integer\"}],"
            + "\"key\":[\"q\"]");
    for (String byteOf : List.of("\\\\303", "\\\\377", "\\\\200", "a", "\\\\")) {
      String key = "{\"q\":\"" + byteOf + "\"}";
      site.change("insert", "public.b", ",\"key\":" + key + ",\"after\":" + key);
    }
    site.change("delete", "public.b", ",\"key\":{\"q\":\"\\\\377\"}");
    site.source.record(ALL);

    site.replay();

    assertThat(site.there("SELECT q::int::text FROM public.b ORDER BY q::int"))
        .containsExactly("-128", "-61", "92", "97");
  }

  @Test
  void aTypeOfUsersIsTakenWhereTheTargetHasIt() throws Exception {
    site.target.execute("CREATE TYPE public.mood AS ENUM ('fine', 'ill')");
    site.change(
        "schema",
        "Odd \\\"one\\\".My table",
        ",\"columns\":[{\"name\":\"Select\",\"type\":\"public.mood\"}],\"key\":[\"Select\"]");
    site.change(
        "insert",
        "Odd \\\"one\\\".My table",
        ",\"key\":{\"Select\":\"ill\"},\"after\":{\"Select\":\"ill\"}");
    site.source.record(ALL);

    site.replay();

    assertThat(
            site.there(
                "SELECT pg_typeof(\"Select\")::text || \"Select\""
                    + " FROM \"Odd \"\"one\"\"\".\"My table\""))
        .containsExactly("moodill");
  }

  @Test
  void aTypeThatIsMoreThanATypeIsNone() throws Exception {
    site.change(
        "schema",
        ACCOUNT,
        ",\"columns\":[{\"name\":\"id\",\"type\":\"integer); DROP TABLE x; CREATE TABLE y (z"
            + " int\"},{\"name\":\"r\",\"type\":\"record\"},{\"name\":\"n\",\"type\":\"integer\"}]");
    site.source.record(ALL);

    assertThat(site.replay().asText()).containsExactly("public.account.id", "public.account.r");

    assertThat(
            site.there(
                "SELECT atttypid::regtype::text FROM pg_attribute"
                    + " WHERE attrelid = 'public.account'::regclass AND attnum > 0 ORDER BY attnum"))
        .containsExactly("text", "text", "integer");
  }

  /** A cast to text would drop them, and call two rows one. */
  @ParameterizedTest
  @ValueSource(strings = {"bpchar", "bpchar[]", "public.blanks", "character(9)"})
  void blanksAtTheEndAreKeptInATableWithoutAKeyToo(String type) throws Exception {
    site.target.execute("CREATE DOMAIN public.blanks AS bpchar");
    String form = type.endsWith("[]") ? "{\\\"%s\\\"}" : "%s";
    site.change("schema", ACCOUNT, columns(type));
    for (String value : List.of("a ", "b ", "c")) {
      site.change("insert", ACCOUNT, ",\"after\":{\"v\":\"" + form.formatted(value) + "\"}");
    }
    site.change(
        "update",
        ACCOUNT,
        ",\"before\":{\"v\":\"%s\"},\"after\":{\"v\":\"%s\"}"
            .formatted(form.formatted("b "), form.formatted("b")));
    site.source.record(ALL);
    site.replay();
    site.change(
        "update",
        ACCOUNT,
        ",\"before\":{\"v\":\"%s\"},\"after\":{\"v\":\"%s\"}"
            .formatted(form.formatted("c"), form.formatted("c  ")));
    site.source.record(ALL);

    site.replay();

    String values = "('" + form.replace("\\", "") + "')";
    assertThat(site.there("SELECT format('%s', v) FROM public.account ORDER BY 1"))
        .isEqualTo(
            site.there(
                "SELECT format('%s', v::"
                    + type
                    + ") FROM (VALUES "
                    + String.join(
                        ",", values.formatted("a "), values.formatted("b"), values.formatted("c  "))
                    + ") AS r (v) ORDER BY 1"));
  }

  private static String columns(String type) {
    return ",\"columns\":[{\"number\":1,\"name\":\"v\",\"type\":\"" + type + "\"}]";
  }
}
