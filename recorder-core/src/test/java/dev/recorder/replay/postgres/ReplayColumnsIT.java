package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.replay.ReplayResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns whose values cannot be kept: of another type, or in the place of others. */
class ReplayColumnsIT {
  private static final String TASK = "public.task";
  private static final String ID = column(1, "id", "integer");
  private static final String NAME = column(3, "name", "text");
  private static final String ROWS = "SELECT t::text FROM public.task t ORDER BY 1";
  private static final int ALL = 50_000;

  private ReplaySite site;

  @BeforeEach
  void setUp() throws Exception {
    site = new ReplaySite();
    keyed(ID, column(2, "state", "text"), NAME);
    put("1", "\"open\"", "\"a\"");
    put("2", "\"2\"", "\"b\"");
    site.source.record(ALL);
    site.replay();
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void valuesThatTheNewTypeDoesNotReadBecomeNullAndTheOthersStay() throws Exception {
    keyed(ID, column(2, "state", "integer"), column(3, "name", "character varying(9)"));
    put("3", "7", "\"c\"");
    site.source.record(ALL);

    ReplayResult result = site.replay();

    assertThat(site.there(ROWS)).containsExactly("(1,,a)", "(2,,b)", "(3,7,c)");
    assertThat(site.there("SELECT pg_typeof(state)::text FROM public.task LIMIT 1"))
        .containsExactly("integer");
    assertThat(result.incomplete()).containsExactly(TASK);
  }

  @ParameterizedTest
  @ValueSource(strings = {"regclass", "regnamespace", "regproc", "regtype", "public.short"})
  void soDoThoseThatTheInputOfTheTypeRefusesInItsOwnWay(String type) throws Exception {
    site.target.execute(
        "CREATE FUNCTION public.refuse(text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE"
            + " AS $$BEGIN RAISE EXCEPTION 'too long'; END$$",
        "CREATE DOMAIN public.short AS text CHECK (VALUE IS NULL OR public.refuse(VALUE))");
    keyed(ID, column(2, "state", type), NAME);
    put("3", "null", "\"c\"");
    site.source.record(ALL);

    ReplayResult result = site.replay();

    assertThat(site.there("SELECT ROW(id, state::text, name)::text FROM public.task ORDER BY id"))
        .containsExactly("(1,,a)", "(2,,b)", "(3,,c)");
    assertThat(result.incomplete()).containsExactly(TASK);
  }

  @Test
  void aSnapshotThatBeginsAfterwardsHasThemAgain() throws Exception {
    keyed(ID, column(2, "state", "integer"), NAME);
    snapshot("1", "17", "\"a\"");
    snapshot("2", "2", "\"b\"");
    site.source.record(ALL);

    site.replay();

    assertThat(site.there(ROWS)).containsExactly("(1,17,a)", "(2,2,b)");
  }

  @Test
  void valuesThatTheNewTypeReadsAreKeptAndNothingIsTold() throws Exception {
    keyed(column(1, "id", "bigint"), column(2, "state", "character varying(2)"), NAME);
    site.source.record(ALL);

    ReplayResult result = site.replay();

    assertThat(site.there(ROWS)).containsExactly("(1,op,a)", "(2,2,b)");
    assertThat(result.incomplete()).isEmpty();
  }

  @Test
  void aTableIsEmptiedWhoseKeyTheNewTypeDoesNotRead() throws Exception {
    keyed(column(1, "id", "uuid"), column(2, "state", "text"), NAME);
    put("\"00000000-0000-0000-0000-000000000003\"", "\"x\"", "\"c\"");
    site.source.record(ALL);

    ReplayResult result = site.replay();

    assertThat(site.there(ROWS)).containsExactly("(00000000-0000-0000-0000-000000000003,x,c)");
    assertThat(result.incomplete()).containsExactly(TASK);
  }

  @Test
  void soIsOneWhoseKeysBecomeTheSame() throws Exception {
    site.change("truncate", TASK, "");
    site.change("schema", TASK, schema("name", ID, column(2, "state", "text"), NAME));
    put("1", "\"x\"", "\"01\"", "name");
    put("2", "\"x\"", "\"1\"", "name");
    site.change("schema", TASK, schema("name", ID, column(3, "name", "integer")));
    site.source.record(ALL);

    ReplayResult result = site.replay();

    assertThat(site.there(ROWS)).isEmpty();
    assertThat(result.incomplete()).containsExactly(TASK);
  }

  /** Otherwise no change that tells it by all of its values would find a row. */
  @Test
  void soIsOneWithoutAKey() throws Exception {
    site.change("schema", "public.note", ",\"columns\":[" + column(1, "n", "text") + "]");
    site.change("insert", "public.note", ",\"after\":{\"n\":\"one\"}");
    site.change("schema", "public.note", ",\"columns\":[" + column(1, "n", "integer") + "]");
    site.change("update", "public.note", ",\"before\":{\"n\":1},\"after\":{\"n\":2}");
    site.source.record(ALL);

    site.replay();

    assertThat(site.there("SELECT n::text FROM public.note")).containsExactly("2");
  }

  @Test
  void valuesOfAFormerKeyBecomeNullAsThoseOfOtherColumns() throws Exception {
    site.change("truncate", TASK, "");
    keyed(ID, column(2, "state", "text"), NAME);
    put("1", "\"x\"", "\"a\"");
    site.change(
        "schema", TASK, schema("name", column(1, "id", "date"), column(2, "state", "text"), NAME));
    put("null", "\"x\"", "\"b\"", "name");
    site.source.record(ALL);

    ReplayResult result = site.replay();

    assertThat(site.there(ROWS)).containsExactly("(,x,a)", "(,x,b)");
    assertThat(result.incomplete()).containsExactly(TASK);
  }

  @Test
  void aColumnThatWasMadeNotNullHereIsNamedWithItsRemedy() throws Exception {
    site.target.execute("ALTER TABLE public.task ALTER state SET NOT NULL");
    put("3", "null", "\"c\"");
    site.source.record(ALL);

    assertThatThrownBy(site::replay)
        .hasMessageContaining("column \"state\"")
        .hasMessageContaining("DROP NOT NULL in the target");
  }

  @Test
  void aSchemaRowWithoutColumnsIsPassedOverAndSoAreTheChangesThatCameWithIt() throws Exception {
    site.change("schema", TASK, "");
    site.change("delete", TASK, ",\"before\":{}");
    put("3", "\"x\"", "\"c\"");
    site.source.record(ALL);

    site.replay();

    assertThat(site.there(ROWS)).containsExactly("(1,open,a)", "(2,2,b)", "(3,x,c)");
  }

  /** Numbers of columns are those of one relation: the log has another under the same name. */
  @Test
  void columnsOfAnotherRelationAreNotTakenForRenamedOnes() throws Exception {
    site.change(
        "schema", TASK, ",\"relation\":16500" + schema("id", ID, column(2, "state", "text"), NAME));
    site.change(
        "schema",
        TASK,
        ",\"relation\":16600"
            + schema("id", ID, column(2, "name", "text"), column(3, "state", "text")));
    put("3", "\"x\"", "\"c\"");
    site.source.record(ALL);

    site.replay();

    assertThat(site.there("SELECT ROW(id, state, name)::text FROM public.task ORDER BY id"))
        .containsExactly("(1,open,a)", "(2,2,b)", "(3,x,c)");
  }

  @Test
  void aColumnThatIsDroppedAndAddedAgainHasTheValueThatRowsGot() throws Exception {
    keyed(
        ID, NAME, "{\"number\":4,\"name\":\"state\",\"type\":\"text\",\"existing_rows\":\"new\"}");
    put("3", "null", "\"c\"");
    site.source.record(ALL);

    ReplayResult result = site.replay();

    assertThat(site.there("SELECT ROW(id, state, name)::text FROM public.task ORDER BY id"))
        .containsExactly("(1,new,a)", "(2,new,b)", "(3,,c)");
    assertThat(result.incomplete()).isEmpty();
  }

  /** The column called state is now the one that was called name. */
  @Test
  void aColumnThatIsRenamedToOneThatWasDroppedKeepsItsValues() throws Exception {
    keyed(ID, column(3, "state", "text"), column(4, "name", "text"));
    site.source.record(ALL);

    site.replay();

    assertThat(site.there("SELECT ROW(id, state, name)::text FROM public.task ORDER BY id"))
        .containsExactly("(1,a,)", "(2,b,)");
  }

  @Test
  void aKeyThatIsDroppedAndAddedAgainEmptiesTheTable() throws Exception {
    keyed(column(2, "state", "text"), NAME, column(4, "id", "integer"));
    put("1", "\"x\"", "\"c\"");
    site.source.record(ALL);

    ReplayResult result = site.replay();

    assertThat(site.there("SELECT ROW(id, state, name)::text FROM public.task"))
        .containsExactly("(1,x,c)");
    assertThat(
            site.there(
                "SELECT count(*)::text FROM pg_constraint WHERE contype = 'p'"
                    + " AND conrelid = 'public.task'::regclass"))
        .containsExactly("1");
    assertThat(result.incomplete()).containsExactly(TASK);
  }

  @Test
  void allColumnsMayBeOthers() throws Exception {
    keyed(column(11, "id", "integer"), column(12, "state", "text"), column(13, "name", "text"));
    put("1", "\"x\"", "\"c\"");
    site.source.record(ALL);

    site.replay();

    assertThat(site.there(ROWS)).containsExactly("(1,x,c)");
  }

  private void keyed(String... columns) throws Exception {
    site.change("schema", TASK, schema("id", columns));
  }

  private static String schema(String key, String... columns) {
    return ",\"columns\":[" + String.join(",", columns) + "],\"key\":[\"" + key + "\"]";
  }

  private static String column(int number, String name, String type) {
    return "{\"number\":%d,\"name\":\"%s\",\"type\":\"%s\"}".formatted(number, name, type);
  }

  private void put(String id, String state, String name) throws Exception {
    put(id, state, name, "id");
  }

  private void put(String id, String state, String name, String key) throws Exception {
    site.change("insert", TASK, row(id, state, name, key));
  }

  private void snapshot(String id, String state, String name) throws Exception {
    site.change("snapshot", TASK, row(id, state, name, "id"));
  }

  private static String row(String id, String state, String name, String key) {
    return ",\"key\":{\"%s\":%s},\"after\":{\"id\":%s,\"state\":%s,\"name\":%s}"
        .formatted(key, key.equals("id") ? id : name, id, state, name);
  }
}
