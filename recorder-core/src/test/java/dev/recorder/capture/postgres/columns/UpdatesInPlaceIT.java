package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.Replay;
import dev.recorder.capture.postgres.WithCaptureSite;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Updates that leave all keys as they were are told by the new rows alone, which nobody can see;
 * and those that only seem to, which are not.
 */
class UpdatesInPlaceIT extends WithCaptureSite {
  private static final TableName ITEM = new TableName("public", "item");

  private List<String> updates() throws Exception {
    return site.rows().stream().filter(row -> row.contains("\"op\":\"update\"")).toList();
  }

  @Test
  void aKeyThatTheTypeCallsEqualIsToldAsItWas() throws Exception {
    site.run("CREATE TABLE item (id numeric PRIMARY KEY, n int)");
    site.capture("item");
    site.run("INSERT INTO item VALUES (1.0, 1), (2, 2)", "UPDATE item SET id = 1.00 WHERE n = 1");
    assertThat(updates())
        .containsExactly(
            """
            {"op":"update","table":"public.item","key":{"id":1.00},"before":{"id":1.0},\
            "after":{"id":1.00,"n":1}}""");
  }

  @Test
  void soAreBlanksAtTheEndOfAKey() throws Exception {
    site.run("CREATE TABLE item (id bpchar PRIMARY KEY, n int)");
    site.capture("item");
    site.run("INSERT INTO item VALUES ('a ', 1)", "UPDATE item SET id = 'a', n = 2");
    assertThat(updates())
        .containsExactly(
            """
            {"op":"update","table":"public.item","key":{"id":"a"},"before":{"id":"a "},\
            "after":{"id":"a","n":2}}""");
  }

  @Test
  void keysOfSeveralColumnsAreComparedColumnByColumn() throws Exception {
    site.run("CREATE TABLE item (a text, b text, n int, PRIMARY KEY (b, a))");
    site.capture("item");
    site.run(
        "INSERT INTO item VALUES ('x', 'yz', 1), ('q', 'q', 2)",
        "UPDATE item SET n = n + 1",
        "UPDATE item SET a = a || 'y', b = 'z' WHERE a = 'x'");
    assertThat(site.ops())
        .containsExactly("insert", "insert", "update", "update", "delete", "insert");
    Replay.provesEqual(site, ITEM);
  }

  @Test
  void oneKeyThatMovesAmongManyIsADelete() throws Exception {
    site.run("CREATE TABLE item (id int PRIMARY KEY, n int)");
    site.capture("item");
    site.run(
        "INSERT INTO item SELECT i, 0 FROM generate_series(1, 100) AS i",
        "UPDATE item SET n = 1, id = CASE id WHEN 50 THEN 1000 ELSE id END");
    assertThat(site.ops().subList(100, 201))
        .startsWith("delete")
        .containsOnlyOnce("delete", "insert")
        .filteredOn("update"::equals)
        .hasSize(99);
    Replay.provesEqual(site, ITEM);
  }

  @Test
  void oneThatMovesBehindMoreThanAreComparedIsADeleteToo() throws Exception {
    site.run("CREATE TABLE item (id int PRIMARY KEY, n int)");
    site.run("INSERT INTO item SELECT i, 0 FROM generate_series(1, 10001) AS i");
    site.capture("item");
    site.run("UPDATE item SET n = 1, id = CASE id WHEN 10001 THEN 0 ELSE id END");
    assertThat(site.ops()).hasSize(10_002).startsWith("delete").endsWith("insert");
  }

  @Test
  void soIsOneThatNoPartitionTakes() throws Exception {
    site.run(
        "CREATE TABLE item (id int, part int, n int, PRIMARY KEY (id, part))"
            + " PARTITION BY LIST (part)",
        "CREATE TABLE item_0 PARTITION OF item FOR VALUES IN (0)",
        "CREATE TABLE item_1 PARTITION OF item FOR VALUES IN (1)",
        "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NULL; END'",
        "CREATE TRIGGER refuses BEFORE INSERT ON item_1 FOR EACH ROW EXECUTE FUNCTION nothing()",
        "INSERT INTO item SELECT i, 0, 0 FROM generate_series(1, 10001) AS i");
    site.capture("item");
    site.run("UPDATE item SET n = 1, part = CASE id WHEN 10001 THEN 1 ELSE 0 END");
    assertThat(site.database.number("SELECT count(*) FROM public.item")).isEqualTo(10_000);
    assertThat(site.ops()).hasSize(10_001).startsWith("delete").endsWith("update");
  }

  @Test
  void thoseBehindOneThatNoPartitionTakesAreStillThere() throws Exception {
    site.run(
        "CREATE TABLE item (id int, part int, n int, PRIMARY KEY (id, part))"
            + " PARTITION BY LIST (part)",
        "CREATE TABLE item_0 PARTITION OF item FOR VALUES IN (0)",
        "CREATE TABLE item_1 PARTITION OF item FOR VALUES IN (1)",
        "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NULL; END'",
        "CREATE TRIGGER refuses BEFORE INSERT ON item_1 FOR EACH ROW EXECUTE FUNCTION nothing()");
    site.capture("item");
    site.run(
        "INSERT INTO item VALUES (1, 0, 0), (2, 0, 0)",
        "UPDATE item SET n = n + 1, part = CASE id WHEN 1 THEN 1 ELSE 0 END");
    assertThat(site.ops()).containsExactly("insert", "insert", "delete", "delete", "insert");
    Replay.provesEqual(site, ITEM);
  }

  /** To the table in which it is replayed it may well be another one. */
  @Test
  void aKeyThatOnlyItsCollationCallsEqualIsAnother() throws Exception {
    site.run(
        "CREATE COLLATION public.any_case"
            + " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        "CREATE TABLE item (k text COLLATE public.any_case PRIMARY KEY, n int)",
        "INSERT INTO item VALUES ('z', 0)");
    site.capture("item");
    site.run(
        "INSERT INTO item VALUES ('a', 1), ('b', 2)",
        "UPDATE item SET k = 'A' WHERE k = 'a'",
        "ALTER TABLE item ADD COLUMN more text",
        "UPDATE item SET k = 'B' WHERE k = 'b'");
    assertThat(site.ops())
        .containsExactly("insert", "insert", "delete", "insert", "delete", "insert");
  }

  @Test
  void rowsThatComeUnderTheConditionOrLeaveItAreNoUpdates() throws Exception {
    site.run("CREATE TABLE item (id int PRIMARY KEY, n int)");
    site.capture("item", new CaptureOptions(ColumnChoice.ALL, "n > 0", null, OldImage.NONE));
    site.run(
        "INSERT INTO item VALUES (1, 1), (2, 0)",
        "UPDATE item SET n = n * 2",
        "UPDATE item SET n = 1 - n",
        "UPDATE item SET n = NULL");
    assertThat(site.ops()).containsExactly("insert", "update", "delete", "insert", "delete");
  }

  @Test
  void anUpdateOfNothingWritesNothing() throws Exception {
    site.run("CREATE TABLE item (id int PRIMARY KEY, n int)");
    site.capture("item");
    site.run(
        "INSERT INTO item VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET n = 2",
        "UPDATE item SET n = 3 WHERE false");
    assertThat(site.ops()).containsExactly("insert");
  }

  @Test
  void whatIsCalledAsThePartsOfTheStatementIsMeantAsAColumn() throws Exception {
    List<String> names = List.of("image", "key_image", "change", "r", "log_key", "seq", "c1");
    site.run(
        "CREATE TABLE change (" + String.join(" int, ", names) + " int, PRIMARY KEY (r, image))");
    site.capture("change");
    site.run(
        "INSERT INTO change VALUES (1, 2, 3, 4, 5, 6, 7)",
        "UPDATE change SET seq = 60",
        "DELETE FROM change");
    String key = "\"key\":{\"r\":4,\"image\":1}";
    assertThat(site.rows())
        .isEqualTo(
            Stream.of(
                    "{\"op\":\"insert\",\"table\":\"public.change\"," + key + after(6),
                    "{\"op\":\"update\",\"table\":\"public.change\"," + key + before() + after(60),
                    "{\"op\":\"delete\",\"table\":\"public.change\"," + key + before() + "}")
                .toList());
  }

  private static String before() {
    return ",\"before\":{\"r\":4,\"image\":1}";
  }

  private static String after(int seq) {
    return (",\"after\":{\"image\":1,\"key_image\":2,\"change\":3,\"r\":4,"
            + "\"log_key\":5,\"seq\":%d,\"c1\":7}}")
        .formatted(seq);
  }
}
