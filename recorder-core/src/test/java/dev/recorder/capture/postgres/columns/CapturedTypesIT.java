package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.Replay;
import dev.recorder.capture.postgres.WithCaptureSite;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values of all kinds of types come back as they were, whatever the session has set. */
class CapturedTypesIT extends WithCaptureSite {
  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE TYPE mood AS ENUM ('sad', 'so so', 'q\"uoted')",
        "CREATE TYPE pair AS (a int, b timestamptz, c \"char\"[])",
        "CREATE DOMAIN blank AS char(5) CHECK (value <> 'x')",
        "CREATE DOMAIN blanker AS blank",
        "CREATE DOMAIN net AS inet",
        "CREATE DOMAIN one_byte AS \"char\"",
        "CREATE TYPE floats AS RANGE (subtype = float8)",
        """
        CREATE TABLE typed (id bigint PRIMARY KEY, b bool, i2 smallint, i4 int, n numeric,
          n2 numeric(20,5), f4 float4, f8 float8, m money, t text, v varchar(9), c char(7), q "char",
          na name, bl blanker, ne net, j json, jb jsonb, by bytea, d date, ti time, tz timetz,
          ts timestamp(3), tt timestamptz, iv interval, u uuid, ip inet, ci cidr, ma macaddr, bi bit(3),
          vb varbit, x xml, o oid, rc regclass, rt regtype, mo mood, p pair, r1 int4range,
          r2 tstzrange, r3 floats, mr int4multirange, po point, bo box, pa path, tv tsvector,
          tq tsquery, l pg_lsn, a1 int[], a2 text[], a3 timestamptz[], a4 mood[], a5 pair[],
          a6 numeric[], iv2 int2vector, s text GENERATED ALWAYS AS (upper(t)) STORED)""");
    site.capture("typed", OldImage.ALL);
  }

  private static final String ORDINARY =
      """
      INSERT INTO typed VALUES (1, true, -3, 2147483647, 1.50, 12345678901234.00010, 0.1, 0.1,
        '-1234.5', E'a"\\\\\\n\\tü\\u20ac', 'v', 'c', 'q', 'na', 'bl', '10.1.2.3', E'{"b" : 1,\\n"a":[1 , null],"b":2}',
        '{"b":1,"a":1.10}', '\\x00ff', '2026-02-03', '01:02:03.000004', '01:02:03+05:30',
        '2026-02-03 04:05:06.789', '2026-02-03 04:05:06.000001+02', '1 year 2 mons -3 days 04:05:06.7',
        '00000000-0000-0000-0000-00000000000a', '10.1.2.3', '10.1.0.0/16', '08:00:2b:01:02:03',
        '101', '11', '<a>1</a>', 7, 'typed', 'mood', 'q"uoted',
        ROW(1, '2026-02-03 04:05:06+00', '{a,b}'), '[1,5)', '[2026-01-01 00:00+00,)', '[0.1,0.3]',
        '{[1,3),[5,7)}', '(0.1,2)', '(1,1),(0,0)', '((0,0),(1,1))', 'a fat cat', 'a & b', '16/B374D848',
        '[0:1]={1,NULL}', ARRAY['a,b', 'NULL', NULL, '"', E'\\\\'], '{2026-01-01 00:00+05}',
        '{sad,"so so"}', ARRAY[ROW(1, '2026-01-01 00:00+00', '{}')::pair], '{1.50,NaN}', '1 2')""";

  @Test
  void ordinaryValuesAndNulls() throws Exception {
    site.run(ORDINARY, "INSERT INTO typed (id) VALUES (2)", "UPDATE typed SET id = id + 5");
    Replay.provesEqual(site, new TableName("public", "typed"));
  }

  @Test
  void sessionsWithOtherSettings() throws Exception {
    site.run(
        "SET TimeZone = 'Asia/Kolkata'",
        "SET IntervalStyle = 'iso_8601'",
        "SET extra_float_digits = -10",
        "SET bytea_output = 'escape'",
        "SET search_path = public, pg_catalog",
        "SET quote_all_identifiers = on",
        // The driver bears no other style at the end of a statement.
        "DO $do$ BEGIN SET LOCAL DateStyle = 'SQL, DMY'; "
            + ORDINARY
            + "; UPDATE typed SET i4 = 5; SET LOCAL DateStyle = 'ISO'; END $do$");
    eachMemberIsWhatTheServerShows();
    Replay.provesEqual(site, new TableName("public", "typed"));
  }

  /** As an administrator may have it, so that all sessions find it. */
  @Test
  void aTypeOfAnExtensionInTheCatalogIsWrittenAsItsText() throws Exception {
    site.database.execute("CREATE EXTENSION hstore SCHEMA pg_catalog");
    site.run("CREATE TABLE kept (id int PRIMARY KEY, v hstore)");
    site.capture("kept");
    site.run("INSERT INTO kept VALUES (1, 'a=>1,b=>NULL')");
    assertThat(site.rows())
        .singleElement()
        .asString()
        .contains("\"v\":\"\\\"a\\\"=>\\\"1\\\", \\\"b\\\"=>NULL\"");
  }

  /** Character by character; but JSON has words of its own for booleans. */
  private void eachMemberIsWhatTheServerShows() throws Exception {
    try (Connection connection = site.database.connectAsSuperuser();
        Statement settings = connection.createStatement()) {
      settings.execute("SET TimeZone = 'UTC'; SET lc_monetary = 'C'; SET search_path = pg_catalog");
      List<String> columns =
          TestDatabase.query(
              connection,
              "SELECT attname FROM pg_attribute WHERE attrelid = 'public.typed'::regclass"
                  + " AND attnum > 0 AND attname <> 'b'",
              row -> row.getString(1));
      assertThat(columns).hasSizeGreaterThan(50);
      for (String column : columns) {
        String captured =
            "SELECT payload->'after'->>'%s' FROM handoff.orders ORDER BY id DESC LIMIT 1";
        String shown = "SELECT format('%%s', \"%s\") FROM public.typed";
        assertThat(TestDatabase.query(connection, captured.formatted(column), r -> r.getString(1)))
            .as(column)
            .isEqualTo(
                TestDatabase.query(connection, shown.formatted(column), r -> r.getString(1)));
      }
    }
  }

  @Test
  void valuesThatAreOftenForgotten() throws Exception {
    site.run(
        """
        INSERT INTO typed (id, n, n2, f4, f8, d, ts, tt, j, jb, p, a1, t, c, by, ip, a2, q, r1) VALUES
        (1, 'NaN', 0.00000, '-0', '1e-320', 'infinity', '-infinity', 'infinity', 'null', 'null',
          ROW(NULL, NULL, NULL), '{}', '', '', '', '::1', '{}', '', 'empty'),
        (2, '1e100', -0.00001, 'NaN', '-Infinity', '4713-01-01 BC', '0001-01-01 BC', '294276-12-31',
          ' {} ', '"\\u00e4"', ROW(1, NULL, NULL), '{{1,2},{3,4}}', 'null', 'null', '\\x6e', '10/8',
          '{NULL}', E'\\\\377', '(,)'),
        (3, '0.1000', 1, '1e38', '1.7976931348623157e308', '2026-01-01', 'epoch', 'epoch',
          '"a\\u0000b"', '[]', NULL, NULL, '{"a":1}', E'\\u0001\\u001f', NULL, NULL, NULL, NULL, NULL)""",
        "UPDATE typed SET n = n, i2 = 1",
        "DELETE FROM typed WHERE id = 3");
    Replay.provesEqual(site, new TableName("public", "typed"));
    assertThat(site.rows().get(0))
        .contains("\"j\":\"null\",\"jb\":\"null\"")
        .contains("\"n2\":0.00000,\"f4\":\"-0\"")
        .contains("\"b\":null");
  }

  /** PostgreSQL 14 shows the byte as it is, which is no text, and no server reads. */
  @Test
  void aByteThatIsNoCharacterByItselfIsWrittenAsLaterServersShowIt() throws Exception {
    site.run("CREATE TABLE byte (q \"char\" PRIMARY KEY, d one_byte, p pair)");
    site.capture("byte");
    site.run(
        "INSERT INTO byte VALUES ((-61)::\"char\", (-1)::\"char\"), ('a', 'b'), ('\\', '')",
        "UPDATE byte SET q = (-62)::\"char\", d = NULL WHERE q = (-61)::\"char\"");

    assertThat(
            site.database.query(
                "SELECT convert_from(convert_to(concat(key, ' ', payload->>'after'), 'UTF8'),"
                    + " 'UTF8') FROM handoff.orders WHERE payload->>'op' = 'insert' ORDER BY id",
                row -> row.getString(1)))
        .containsExactly(
            "public.byte/\\303 {\"q\":\"\\\\303\",\"d\":\"\\\\377\",\"p\":null}",
            "public.byte/a {\"q\":\"a\",\"d\":\"b\",\"p\":null}",
            "public.byte/\\ {\"q\":\"\\\\\",\"d\":\"\",\"p\":null}",
            "public.byte/\\302 {\"q\":\"\\\\302\",\"d\":null,\"p\":null}");

    String within = "INSERT INTO byte VALUES ('p', 'p', ROW(1, NULL, ARRAY[(-61)::\"char\"]))";
    if (site.database.number("SELECT current_setting('server_version_num')") < 150_000) {
      assertThatThrownBy(() -> site.run(within)).hasMessageContaining("invalid byte sequence");
    } else {
      site.run(within);
      assertThat(site.rows()).last().asString().contains("303");
    }
  }

  @Test
  void onlyWhatChangedOfTypesWithoutEquality() throws Exception {
    site.remove("typed");
    site.capture("typed", OldImage.CHANGED);
    site.run(
        ORDINARY,
        "UPDATE typed SET po = '(1,1)', j = '{\"b\":1}', t = NULL, n = 1.5",
        "UPDATE typed SET t = 'same', n = n");
    assertThat(site.rows().get(1))
        .contains(
            """
            "before":{"n":1.50,"t":"a\\"\\\\\\n\\tü€","j":"{\\"b\\" : 1,\\n\\"a\\":[1 , null],\\"b\\":2}",\
            "po":"(0.1,2)","s":"A\\"\\\\\\n\\tÜ€"},""");
    assertThat(site.rows().get(2)).contains("\"before\":{\"t\":null,\"s\":null},");
    Replay.provesEqual(site, new TableName("public", "typed"));
  }
}
