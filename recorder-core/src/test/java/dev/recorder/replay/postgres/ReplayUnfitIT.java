package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.replay.Replay;
import dev.recorder.replay.ReplayNote;
import dev.recorder.replay.ReplayNote.ReplayNoteKind;
import dev.recorder.replay.ReplayPosition;
import dev.recorder.replay.ReplayResult;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows with the mark of a captured change that fit no table: all others are replayed. */
class ReplayUnfitIT {
  private static final int ALL = 50_000;
  private static final String TWO = "{\"name\":\"id\",\"type\":\"integer\"}";
  private static final String KEYED =
      ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"},{\"name\":\"k\",\"type\":\"integer\"}],"
          + "\"key\":[\"id\",\"k\"]";

  private final List<ReplayNote> told = new ArrayList<>();
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

  private ReplayResult replay() throws Exception {
    site.source.record(ALL);
    told.clear();
    try (JdbcReplayTarget into = site.open()) {
      ReplayPosition from = into.position().orElse(ReplayPosition.of(1));
      try (var slots = site.slots(site.source.store, from)) {
        return new Replay(
                into,
                from,
                new Replay.ReplayProgress() {
                  @Override
                  public void read(long slot, long rows) {}

                  @Override
                  public void told(ReplayNote note) {
                    told.add(note);
                  }
                })
            .run(slots);
      }
    }
  }

  /** What stands around the row is there, also what a later replay brings. */
  private void isPassedOver(String table, String why) throws Exception {
    site.change("insert", "public.account", ReplaySite.account(2, "b"));
    assertThat(replay().incomplete()).containsExactly(table);
    assertThat(told)
        .singleElement()
        .satisfies(note -> assertThat(note.kind()).isEqualTo(ReplayNoteKind.INCOMPLETE))
        .extracting(ReplayNote::text)
        .asString()
        .contains(why);
    site.change("insert", "public.account", ReplaySite.account(3, "c"));
    assertThat(replay().incomplete()).isEmpty();
    assertThat(site.accounts()).containsExactly("1=a", "2=b", "3=c");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "insert|x",
        "insert|.x",
        "schema|recorder_replay.tables",
        "schema|recorder_replay.mine",
        "schema|pg_temp.q",
        "schema|pg_foo.q",
        "schema|pg_catalog.q",
        "schema|information_schema.q"
      })
  void whatNamesNoTableThatCanBeCapturedIsPassedOver(String op, String table) throws Exception {
    site.change(op, table, ",\"columns\":[" + TWO + "],\"key\":[\"id\"]");
    isPassedOver(table, "1 changes of " + table + " are passed over: no table that is captured");
  }

  @ParameterizedTest
  @CsvSource({
    "insert,public.nope",
    "truncate,public.nope",
    "insert,zzz.nope",
    "insert,public.mine"
  })
  void soIsAChangeOfATableWhoseColumnsTheLogDoesNotSay(String op, String table) throws Exception {
    replay();
    site.target.execute(
        "REVOKE CREATE ON DATABASE " + site.target.name() + " FROM recorder",
        "CREATE TABLE public.mine (id integer)");
    site.change(op, table, ReplaySite.account(1, "a"));
    site.change(op, table, ReplaySite.account(2, "a"));
    isPassedOver(table, "2 changes of " + table + " are passed over: no 'schema' row");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "insert|,\"key\":{\"id\":1},\"after\":5",
        "insert|,\"key\":{\"id\":1},\"after\":[1]",
        "insert|,\"key\":{\"id\":5},\"after\":{\"id\":null}",
        "insert|,\"key\":{\"id\":5},\"after\":{\"id\":1,\"name\":\"x\"}",
        "update|,\"key\":[1],\"after\":[1]",
        "delete|,\"key\":5",
        "schema|,\"columns\":[{}]",
        "schema|,\"columns\":[{\"name\":\"a\",\"type\":\"integer\"},5,{\"x\":{}}]",
        "schema|,\"columns\":[{\"name\":\"\",\"type\":\"integer\"}]",
        "schema|,\"columns\":[{\"name\":\"ctid\",\"type\":\"integer\"}]",
        "schema|,\"columns\":[{\"name\":\"a\",\"type\":\"text\"},{\"name\":\"a\",\"type\":\"text\"}]",
        "schema|,\"columns\":[{\"name\":\"a\",\"type\":\"text\",\"number\":99999999999}]",
        "schema|,\"columns\":[{\"name\":\"a\",\"type\":\"text\",\"number\":1},{\"name\":\"b\",\"type\":\"text\",\"number\":1}]",
        "schema|,\"columns\":[{\"name\":\"id\",\"type\":\"integer\"}],\"key\":[\"b\"]",
        "schema|,\"columns\":[{\"name\":\"id\",\"type\":\"integer\"}],\"key\":[null]",
        "schema|,\"columns\":[{\"name\":\"id\",\"type\":\"integer\"}],\"key\":\"id\"",
        "schema|,\"columns\":[{\"name\":\"id\",\"type\":\"integer\"}],\"key\":[\"id\"],\"snapshot\":\"begin\",\"visible\":\"junk\""
      })
  void soIsWhatDoesNotHaveTheFormOfAChange(String op, String members) throws Exception {
    site.change(op, "public.account", members);
    isPassedOver("public.account", "1 changes of public.account are passed over: they do not have");
  }

  /** As of a transaction whose snapshot is older than the column and its key. */
  @Test
  void soAreChangesThatLackAColumnOfTheKeyUntilASnapshot() throws Exception {
    site.change("schema", "public.t", KEYED);
    site.change("insert", "public.t", row(1) + ",\"after\":{\"id\":1,\"k\":1}");
    site.change("insert", "public.t", ",\"key\":{\"id\":2},\"after\":{\"id\":2}");
    site.change("delete", "public.t", ",\"key\":{\"id\":1},\"before\":{\"id\":1}");
    isPassedOver("public.t", "2 changes of public.t are passed over: they have no value for");
    assertThat(site.there("SELECT id || ' ' || k FROM public.t")).containsExactly("1 1");

    site.change("schema", "public.t", ",\"snapshot\":\"begin\",\"visible\":\"1:1:\"" + KEYED);
    long begun = lastSeq();
    site.change("snapshot", "public.t", row(2) + ",\"after\":{\"id\":2,\"k\":1}");
    site.change("schema", "public.t", ",\"snapshot\":\"end\",\"begun\":" + begun + KEYED);
    assertThat(replay().incomplete()).isEmpty();
    assertThat(site.there("SELECT id || ' ' || k FROM public.t")).containsExactly("2 1");
  }

  private static String row(int id) {
    return ",\"key\":{\"id\":%1$d,\"k\":1}".formatted(id);
  }

  private long lastSeq() throws SQLException {
    return site.source.database.number("SELECT last_value FROM public.effects");
  }

  private static final String KEYLESS = "public.keyless";

  private void keyless(String op, String members) throws Exception {
    site.change(op, KEYLESS, members);
  }

  /** As a row with a regclass whose object was renamed, or of before the capture. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "delete|,\"before\":{\"v\":\"x2\"}|x1",
        "update|,\"before\":{\"v\":\"x2\"},\"after\":{\"v\":\"x3\"}|x1 x3"
      })
  void aRowWithoutAKeyThatIsNotThereIsTold(String op, String members, String rows)
      throws Exception {
    keyless("schema", ",\"columns\":[{\"name\":\"v\",\"type\":\"text\"}]");
    keyless("insert", ",\"after\":{\"v\":\"x1\"}");
    assertThat(replay().incomplete()).isEmpty();
    keyless(op, members);

    assertThat(replay().incomplete()).containsExactly(KEYLESS);
    assertThat(told)
        .singleElement()
        .extracting(ReplayNote::text)
        .asString()
        .startsWith(
            "1 changes of public.keyless are passed over: the table has no key, and no row");
    assertThat(String.join(" ", site.there("SELECT v FROM public.keyless ORDER BY v")))
        .isEqualTo(rows);
  }

  /** The rows of before are all those of the snapshot. */
  @Test
  void itIsNotIfASnapshotFollowsOrTheRowIsPutInTheSameWindow() throws Exception {
    keyless("schema", ",\"columns\":[{\"name\":\"v\",\"type\":\"text\"}]");
    keyless("delete", ",\"before\":{\"v\":\"x1\"}");
    keyless("truncate", ",\"snapshot\":\"begin\"");
    keyless("delete", ",\"before\":{\"v\":\"x2\"}");
    keyless("insert", ",\"after\":{\"v\":\"x2\"}");

    assertThat(replay().incomplete()).isEmpty();
    assertThat(site.there("SELECT v FROM public.keyless")).isEmpty();
  }
}
