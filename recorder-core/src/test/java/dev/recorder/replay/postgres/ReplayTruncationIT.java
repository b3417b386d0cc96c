package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.sql.DefaultCollation;
import dev.recorder.reader.LogReader;
import dev.recorder.replay.Replay;
import dev.recorder.replay.ReplayPosition;
import dev.recorder.replay.ReplayResult;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions that were truncated: their rows are told by a condition that stands in the log. */
class ReplayTruncationIT {
  private static final String TASK = "public.task";
  private static final int ALL = 50_000;

  private ReplaySite site;

  @BeforeEach
  void setUp() throws Exception {
    site = new ReplaySite();
    site.account();
    site.change("insert", "public.account", ReplaySite.account(1, "a"));
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  private void task(String type, String... values) throws Exception {
    site.change(
        "schema",
        TASK,
        ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"},{\"name\":\"v\",\"type\":\""
            + type
            + "\"}],\"key\":[\"id\"]");
    for (int i = 0; i < values.length; i++) {
      site.change(
          "insert",
          TASK,
          ",\"key\":{\"id\":%1$d},\"after\":{\"id\":%1$d,\"v\":%2$s}".formatted(i, values[i]));
    }
  }

  private ReplayResult truncate(String where) throws Exception {
    site.change(
        "truncate",
        TASK,
        ",\"where\":\""
            + where.replace("\\", "\\\\").replace("\"", "\\\"").replace("'", "''")
            + "\"");
    site.source.record(ALL);
    ReplayResult result = site.replay();
    assertThat(site.accounts()).containsExactly("1=a");
    return result;
  }

  private String rows() throws Exception {
    return String.join(
        " ", site.there("SELECT coalesce(format('%s', v), '') FROM public.task ORDER BY id"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "public.mood|(v = ANY (ARRAY['a'::public.mood, 'new'::public.mood]))",
        "public.mood|((v IS NOT NULL) AND (v >= 'a'::public.mood) AND (v < 'b'::public.mood))",
        "public.missing|((v IS NOT NULL) AND (v = 'a'::public.missing))",
        "public.word|((v)::text = 'a'::public.word)",
        "character varying(3)|((v)::text = ANY (ARRAY[('a'::character varying)::text]))",
        "text|(v < 'aa'::text COLLATE \"C\")"
      })
  void itsRowsAreToldInTheTypesOfTheTargetsColumns(String type, String where) throws Exception {
    site.target.execute(
        "CREATE TYPE public.mood AS ENUM ('a', 'b', 'c')", "CREATE DOMAIN public.word AS text");
    task(type, "\"a\"", "\"b\"", "\"c\"", "null");

    ReplayResult result = truncate(where);

    assertThat(rows()).isEqualTo("b c ");
    assertThat(result.incomplete()).isEmpty();
  }

  @Test
  void aTypeThatIsMadeLaterDoesNotStopIt() throws Exception {
    task("public.mood", "\"a\"", "\"b\"", "null");
    site.source.record(ALL);
    site.replay();
    site.target.execute("CREATE TYPE public.mood AS ENUM ('a', 'b')");

    truncate("((v IS NULL) OR (v = 'a'::public.mood))");

    assertThat(rows()).isEqualTo("b");
  }

  /** By its type's collation more texts are equal than by the column's, which is named then. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "((v IS NOT NULL) AND ((v)::text = 'abc'::public.any COLLATE \"C\"))|ABC x",
        "((v IS NOT NULL) AND ((v)::text = 'abc'::public.any))|x",
        "(NOT ((v IS NOT NULL) AND ((v)::text = 'abc'::public.any COLLATE \"C\")))|abc",
        "(NOT ((v IS NOT NULL) AND ((v)::text = 'abc'::public.any)))|abc ABC"
      })
  void textsAreEqualByTheCollationOfTheCondition(String where, String left) throws Exception {
    site.target.execute(
        "CREATE COLLATION public.any_case"
            + " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        "CREATE DOMAIN public.any AS text COLLATE public.any_case",
        "ALTER DOMAIN public.any OWNER TO " + TestDatabase.ROLE);
    task("public.any", "\"abc\"", "\"ABC\"", "\"x\"");

    ReplayResult result = truncate(where);

    assertThat(rows()).isEqualTo(left);
    assertThat(result.incomplete()).isEmpty();
  }

  /** A domain of which the target knows nothing, whose values it has as texts. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "((v)::numeric = '1.0'::public.amount)|10 9",
        "(((v)::numeric >= '9'::public.amount) AND ((v)::numeric < '10'::public.amount))|1.00 10"
      })
  void textsAreComparedAsWhatTheConditionCompares(String where, String left) throws Exception {
    task("public.amount", "\"1.00\"", "\"10\"", "\"9\"");

    truncate(where);

    assertThat(rows()).isEqualTo(left);
  }

  /** Its rows stay, which is told; and the rest goes on. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "(lower(v) = 'a'::text)",
        "pg_sleep(100) IS NULL",
        "(other = 'a'::text)",
        "(v > 'a'::public.missing)",
        "(v > 'a'::text COLLATE \"de-x-icu\")",
        "(v > 'a'::text)"
      })
  void whatIsNotReadIsNotRunAndIsTold(String where) throws Exception {
    task(where.contains("missing") ? "public.missing" : "text", "\"a\"", "\"b\"");

    ReplayResult result = truncate(where);

    assertThat(rows()).isEqualTo("a b");
    assertThat(result.incomplete()).containsExactly(TASK);
  }

  @Test
  void noColumnsNameMakesSqlOfIt() throws Exception {
    String columns = "";
    for (String name : new String[] {"select", "from", "pg_class", "relnatts", "count", "any"}) {
      columns += ",{\"name\":\"" + name + "\",\"type\":\"integer\"}";
    }
    site.change(
        "schema",
        TASK,
        ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"}" + columns + "],\"key\":[\"id\"]");
    site.change("insert", TASK, ",\"key\":{\"id\":1},\"after\":{\"id\":1,\"select\":7}");

    ReplayResult result =
        truncate("(id = ANY (ARRAY(select relnatts from pg_class)) OR (select IS NOT NULL))");

    assertThat(result.incomplete()).containsExactly(TASK);
    assertThat(site.there("SELECT id FROM public.task")).containsExactly("1");

    truncate("(\"select\" = 7)");

    assertThat(site.there("SELECT id FROM public.task")).isEmpty();
  }

  /** The source says in which order it has texts; the target's is another one, or the same. */
  @ParameterizedTest
  @CsvSource({"C,B", "c de_DE.UTF-8 2.36,B a b", "its own,''"})
  void textsAreComparedInTheOrderOfTheSourceOrTheirRowsStay(String order, String left)
      throws Exception {
    assumeThat(site.target.server().majorVersion()).isGreaterThanOrEqualTo(15);
    String name = site.target.name() + "_icu";
    site.target
        .server()
        .execute(
            "CREATE DATABASE %s OWNER %s TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'und'"
                .formatted(name, TestDatabase.ROLE));
    Sessions sessions = new Sessions(TestSettings.neighbour(name, site.target), "replay");
    try (Connection connection = sessions.openForQueries()) {
      String own = String.join("", texts(connection, "SELECT " + DefaultCollation.SQL));
      task("text", "\"a\"", "\"B\"", "\"b\"");
      site.change(
          "truncate",
          TASK,
          ",\"where\":\"((v >= ''a''::text) AND (v < ''c''::text))\",\"order\":\"%s\""
              .formatted(order.equals("its own") ? own : order));
      site.source.record(ALL);

      try (JdbcReplayTarget into = JdbcReplayTarget.open(sessions, RebaseSite.ORDERS, site.log());
          LogReader slots = site.slots(site.source.store, ReplayPosition.of(1))) {
        new Replay(into, ReplayPosition.of(1), (slot, rows) -> {}).run(slots);
      }

      assertThat(own).startsWith("i und");
      assertThat(texts(connection, "SELECT v FROM public.task ORDER BY v COLLATE \"C\""))
          .isEqualTo(left.isEmpty() ? List.of() : List.of(left.split(" ")));
    } finally {
      site.target.server().execute("DROP DATABASE " + name + " WITH (FORCE)");
    }
  }

  private static List<String> texts(Connection connection, String sql) throws Exception {
    return TestDatabase.query(connection, sql, row -> row.getString(1));
  }
}
