package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.replay.ReplayResult;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that the target has too many go at the end of a snapshot, whatever becomes of the key. */
class ReplaySnapshotsIT {
  private static final String ITEM = "public.item";
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

  private ReplayResult replay() throws Exception {
    site.source.record(ALL);
    return site.replay();
  }

  /** A {@code schema} row of a table with a column beside its key. */
  private void schema(String columns, String key, String mark) throws Exception {
    site.change(
        "schema",
        ITEM,
        ",\"columns\":[%s,{\"number\":9,\"name\":\"other\",\"type\":\"integer\"}],\"key\":[%s]%s"
            .formatted(columns, key.isEmpty() ? "" : "\"" + key + "\"", mark));
  }

  private static String column(String name, String type) {
    return "{\"number\":1,\"name\":\"%s\",\"type\":\"%s\"}".formatted(name, type);
  }

  /** Of the rows that are in the target by then the snapshot has not all. */
  private String begin(String name, String type) throws Exception {
    replay();
    schema(column(name, type), name, ",\"snapshot\":\"begin\",\"visible\":\"1:1:\"");
    return ",\"snapshot\":\"end\",\"begun\":"
        + site.source.ask("SELECT last_value::text FROM public.effects").get(0);
  }

  private void put(String op, String name, String value) throws Exception {
    String row = "{\"%s\":\"%s\",\"other\":%d}".formatted(name, value, value.hashCode() % 1_000);
    site.change(op, ITEM, ",\"key\":{\"%s\":\"%s\"},\"after\":%s".formatted(name, value, row));
  }

  private List<String> rows(String name) throws Exception {
    return site.there("SELECT format('%s', " + name + ") FROM public.item ORDER BY 1");
  }

  private void threeRows(String name, String type, String... values) throws Exception {
    schema(column(name, type), name, "");
    for (String value : values) {
      put("insert", name, value);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nr,integer,false",
    "nr,integer,true",
    "id,bigint,false",
    "id,bigint,true",
    "nr,text,true",
    "nr,numeric,false"
  })
  void whatItsKeyIsCalledAndOfWhichTypeMayChangeMeanwhile(
      String name, String type, boolean onlyAtTheEnd) throws Exception {
    threeRows("id", "integer", "1", "2", "3");
    String end = begin("id", "integer");
    put("snapshot", "id", "1");
    if (onlyAtTheEnd) {
      put("snapshot", "id", "2");
    } else {
      replay();
      schema(column(name, type), name, "");
      put("snapshot", name, "2");
    }
    schema(column(name, type), name, end);

    ReplayResult result = replay();

    assertThat(rows(name)).containsExactly("1", "2");
    assertThat(result.incomplete()).isEmpty();
  }

  /**
   * Keys that are gone need not be values of the new type; a key may lie in one that is dropped.
   */
  @ParameterizedTest
  @CsvSource({"id,integer,other", "id,integer,''", "id,smallint,id"})
  void ifTheKeyBecomesAnotherItIsToldThatTheyStay(String name, String type, String key)
      throws Exception {
    threeRows("id", "integer", "1", "2", "3");
    String end = begin("id", "integer");
    put("snapshot", "id", "1");
    put("snapshot", "id", "70000");
    replay();
    site.change("delete", ITEM, ",\"key\":{\"id\":70000}");
    schema(column(name, type), key, "");
    schema(column(name, type), key, end);

    ReplayResult result = replay();

    assertThat(rows(name)).containsExactly("1", "2", "3");
    assertThat(result.incomplete()).containsExactly(ITEM);
    assertThat(site.there("SELECT seen FROM recorder_replay.snapshots")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aTypeThatTheKeyIsGivenBackMeanwhileDoesNotKeepThem(boolean onlyAtTheEnd) throws Exception {
    threeRows("id", "public.mood", "fine", "ill", "so so");
    String end = begin("id", "public.mood");
    put("snapshot", "id", "fine");
    replay();
    site.target.execute("CREATE TYPE public.mood AS ENUM ('so so', 'ill', 'fine')");
    if (!onlyAtTheEnd) {
      schema(column("id", "public.mood"), "id", "");
    }
    put("snapshot", "id", "ill");
    schema(column("id", "public.mood"), "id", end);

    ReplayResult result = replay();

    assertThat(rows("id")).containsExactly("fine", "ill");
    assertThat(result.incomplete()).isEmpty();
    assertThat(site.there("SELECT pg_typeof(id)::text FROM public.item LIMIT 1"))
        .containsExactly("mood");
  }

  /** As an extension's, whose operators are nowhere where a session looks. */
  @Test
  void aKeyMayBeOfATypeThatBringsItsOwnEquality() throws Exception {
    site.target.execute(
        "CREATE SCHEMA \"My types\"",
        "GRANT USAGE ON SCHEMA \"My types\" TO PUBLIC",
        "CREATE EXTENSION ltree SCHEMA \"My types\"");
    String type = "\\\"My types\\\".ltree";
    threeRows("id", type, "a.a", "a.b", "a.c", "a.d");
    String end = begin("id", type);
    put("snapshot", "id", "a.a");
    put("update", "id", "a.b");
    site.change("delete", ITEM, ",\"key\":{\"id\":\"a.c\"}");
    schema(column("id", type), "id", end);

    ReplayResult result = replay();

    assertThat(rows("id")).containsExactly("a.a", "a.b");
    assertThat(result.asText()).isEmpty();
    assertThat(result.incomplete()).isEmpty();
    assertThat(site.there("SELECT pg_typeof(id)::text FROM public.item LIMIT 1"))
        .containsExactly("\"My types\".ltree");
  }

  /** It would run with the rights of the replay's role. */
  @Test
  void anEqualityOfOthersIsNotAsked() throws Exception {
    site.target.server().createRole("function_owner", "x");
    site.target.execute(
        "CREATE EXTENSION ltree SCHEMA public",
        "ALTER FUNCTION public.ltree_eq(ltree, ltree) OWNER TO function_owner");
    threeRows("id", "public.ltree", "a.a", "a.b");
    site.change("delete", ITEM, ",\"key\":{\"id\":\"a.a\"}");

    ReplayResult result = replay();

    assertThat(rows("id")).containsExactly("a.b");
    assertThat(result.asText()).containsExactly("public.item.id");
  }

  /** A row whose fields are null in part is neither null nor not null to SQL. */
  @Test
  void aKeyMayHaveFieldsThatAreNull() throws Exception {
    site.target.execute("CREATE TYPE public.pair AS (a integer, b integer)");
    threeRows("id", "public.pair", "(1,)", "(,)", "(1,2)", "(2,)");
    String end = begin("id", "public.pair");
    put("snapshot", "id", "(1,)");
    put("snapshot", "id", "(,)");
    put("snapshot", "id", "(3,)");
    site.change("delete", ITEM, ",\"key\":{\"id\":\"(1,2)\"}");
    schema(column("id", "public.pair"), "id", end);

    ReplayResult result = replay();

    assertThat(rows("id")).containsExactlyInAnyOrder("(1,)", "(,)", "(3,)");
    assertThat(result.incomplete()).isEmpty();
  }

  @Test
  void keysThatTheirTypeCallsEqualAreOneKey() throws Exception {
    site.target.execute("CREATE EXTENSION citext SCHEMA public");
    threeRows("id", "public.citext", "a", "b");
    replay();
    site.change("delete", ITEM, ",\"key\":{\"id\":\"b\"}");
    put("insert", "id", "B");
    site.change("delete", ITEM, ",\"key\":{\"id\":\"B\"}");
    site.change("delete", ITEM, ",\"key\":{\"id\":\"A\"}");

    ReplayResult result = replay();

    assertThat(rows("id")).isEmpty();
    assertThat(result.incomplete()).isEmpty();
  }
}
