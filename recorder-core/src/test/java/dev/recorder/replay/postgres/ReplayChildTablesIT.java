package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.replay.ReplayException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table that inherits from one of the replay's is somebody's: no row of it is touched. */
class ReplayChildTablesIT {
  private static final String ACCOUNT = "public.account";
  private static final String NOTE = "public.note";
  private static final int ALL = 50_000;

  private ReplaySite site;

  @BeforeEach
  void setUp() throws Exception {
    site = new ReplaySite();
    site.account();
    site.change("insert", ACCOUNT, ReplaySite.account(1, "a"));
    replay();
    site.target.execute(
        "CREATE TABLE public.kid () INHERITS (public.account)",
        "INSERT INTO public.kid VALUES (1, 'kid'), (7, 'kid')");
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  private void replay() throws Exception {
    site.source.record(ALL);
    site.replay();
  }

  private List<String> own() throws Exception {
    return site.there("SELECT id || '=' || name FROM ONLY public.account ORDER BY id");
  }

  private void assertKidIsAsItWas() throws Exception {
    assertThat(site.there("SELECT id || '=' || name FROM public.kid ORDER BY id"))
        .containsExactly("1=kid", "7=kid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"delete|,\"key\":{\"id\":1}", "truncate|", "truncate|,\"where\":\"(id >= 1)\""})
  void whatIsRemovedIsTheTablesOwn(String change) throws Exception {
    String[] parts = change.split("\\|", 2);
    site.change(parts[0], ACCOUNT, parts[1]);
    site.change("insert", ACCOUNT, ReplaySite.account(2, "b"));

    replay();

    assertKidIsAsItWas();
    assertThat(own()).doesNotContain("1=a");
  }

  @Test
  void theEndOfASnapshotSweepsTheTableAlone() throws Exception {
    site.change(
        "schema",
        ACCOUNT,
        ",\"snapshot\":\"begin\",\"visible\":\"1:1:\",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"},"
            + "{\"name\":\"name\",\"type\":\"text\"}],\"key\":[\"id\"]");
    String begun = site.source.ask("SELECT last_value::text FROM public.effects").get(0);
    site.change("snapshot", ACCOUNT, ReplaySite.account(3, "c"));
    site.change(
        "schema",
        ACCOUNT,
        ",\"snapshot\":\"end\",\"begun\":"
            + begun
            + ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"},"
            + "{\"name\":\"name\",\"type\":\"text\"}],\"key\":[\"id\"]");

    replay();

    assertKidIsAsItWas();
    assertThat(own()).containsExactly("3=c");
  }

  /** Rows of the child are at the same places as those of the table. */
  @Test
  void aRowOfATableWithoutAKeyGoesFromThereAlone() throws Exception {
    site.change("schema", NOTE, ",\"columns\":[{\"name\":\"v\",\"type\":\"text\"}],\"key\":[]");
    site.change("insert", NOTE, ",\"after\":{\"v\":\"a\"}");
    site.change("insert", NOTE, ",\"after\":{\"v\":\"b\"}");
    replay();
    site.target.execute(
        "CREATE TABLE public.note_kid () INHERITS (public.note)",
        "INSERT INTO public.note_kid VALUES ('a'), ('x')");
    site.change("delete", NOTE, ",\"before\":{\"v\":\"a\"}");

    replay();

    assertThat(site.there("SELECT v FROM ONLY public.note")).containsExactly("b");
    assertThat(site.there("SELECT v FROM public.note_kid ORDER BY 1")).containsExactly("a", "x");
  }

  @Test
  void columnsThatTheChildWouldHaveToFollowAreRefusedUntilItIsGone() throws Exception {
    site.change(
        "schema",
        ACCOUNT,
        ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"},{\"name\":\"name\",\"type\":\"text\"},"
            + "{\"name\":\"at\",\"type\":\"date\"}],\"key\":[\"id\"]");

    assertThatThrownBy(this::replay)
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining("a table that inherits it) stands in the way");
    assertKidIsAsItWas();

    site.target.execute("ALTER TABLE public.kid NO INHERIT public.account");
    site.replay();
    assertKidIsAsItWas();
    assertThat(site.there("SELECT at FROM public.account")).hasSize(1);
  }
}
