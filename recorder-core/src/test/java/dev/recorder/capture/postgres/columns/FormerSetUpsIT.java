package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.SnapshotSite;
import dev.recorder.capture.postgres.WithSnapshotSite;
import dev.recorder.operate.rebase.RebaseSite;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Whatever is older than what a log was told last, or than the set-up of its capture. */
class FormerSetUpsIT extends WithSnapshotSite {
  private static final String OLD = "BEGIN ISOLATION LEVEL REPEATABLE READ";

  private static CaptureOptions only(String... columns) {
    return new CaptureOptions(
        new ColumnChoice(List.of(columns), List.of()), null, null, OldImage.KEY);
  }

  private static CaptureOptions except(String... columns) {
    return new CaptureOptions(
        new ColumnChoice(List.of(), List.of(columns)), null, null, OldImage.KEY);
  }

  private static CaptureOptions when(String condition) {
    return new CaptureOptions(ColumnChoice.ALL, condition, null, OldImage.KEY);
  }

  private List<String> rows() throws Exception {
    return site.source.ask(
        "SELECT payload->>'after' FROM handoff.orders WHERE payload->>'op' = 'insert' ORDER BY id");
  }

  private static void failsByAge(Statement old, String statement, String why) {
    assertThatThrownBy(() -> old.execute(statement))
        .hasMessageContaining(why)
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("40001");
  }

  private void chosen() throws Exception {
    site.source.run("CREATE TABLE public.t (id int PRIMARY KEY, a int, b text)");
  }

  @Test
  void anOlderTransactionDoesNotWriteByTheFormerChoiceOfColumns() throws Exception {
    chosen();
    site.capture("public.t", only("id", "a"), false);
    site.source.run(
        "INSERT INTO public.t VALUES (1, 1, 'b')",
        "ALTER TABLE public.t ADD c int",
        "INSERT INTO public.t VALUES (2, 1, 'b', 3)");
    try (Connection old = site.source.database.connect();
        Statement statement = old.createStatement()) {
      statement.execute(OLD);
      statement.execute("SELECT FROM pg_class");
      site.capture("public.t", only("id", "b"), true);
      failsByAge(statement, "INSERT INTO public.t VALUES (3, 1, 'b3', 3)", "was set up anew");
      statement.execute("ROLLBACK");
      statement.execute(OLD);
      statement.execute("INSERT INTO public.t VALUES (3, 1, 'b3', 3)");
      statement.execute("COMMIT");
    }
    assertThat(rows()).last().isEqualTo("{\"id\":3,\"b\":\"b3\"}");
  }

  /** A change that no row shows would have it tell the former choice, for everybody. */
  @Test
  void norDoesItTellThatToTheNewSetUp() throws Exception {
    chosen();
    site.capture("public.t", except("a"), false);
    site.source.run(
        "ALTER TABLE public.t ADD c int",
        "INSERT INTO public.t VALUES (2, 1, 'b', 3)",
        "ALTER TABLE public.t ALTER b SET NOT NULL");
    try (Connection old = site.source.database.connect();
        Statement statement = old.createStatement()) {
      statement.execute(OLD);
      statement.execute("SELECT FROM pg_class");
      site.capture("public.t", except("b"), true);
      failsByAge(statement, "INSERT INTO public.t VALUES (3, 1, 'b3', 3)", "was set up anew");
      statement.execute("ROLLBACK");
    }
    site.source.run("INSERT INTO public.t VALUES (4, 1, 'b4', 3)");
    assertThat(rows()).last().isEqualTo("{\"id\":4,\"a\":1,\"c\":3}");
  }

  @Test
  void norOneThatIsOlderThanACaptureThatWasEndedMeanwhile() throws Exception {
    chosen();
    site.capture("public.t", only("id", "a"), false);
    try (Connection old = site.source.database.connect();
        Statement statement = old.createStatement()) {
      statement.execute(OLD);
      statement.execute("SELECT FROM pg_class");
      site.remove("public.t");
      site.capture("public.t", only("id", "b"), false);
      failsByAge(statement, "UPDATE public.t SET a = 1", "was set up anew");
    }
  }

  /** It locks the partition alone, and has the former function until it ends. */
  @Test
  void aStatementThatRunsOnAPartitionMeanwhileFailsToo() throws Exception {
    site.source.run(
        "CREATE TABLE public.p (id int PRIMARY KEY, a int, b text) PARTITION BY LIST (id)",
        "CREATE TABLE public.p1 PARTITION OF public.p DEFAULT");
    site.capture("public.p", only("id", "a"), false);
    try (Connection old = site.source.database.connect();
        Statement statement = old.createStatement()) {
      statement.execute("INSERT INTO public.p1 VALUES (1, 1, 'b')");
      CopyIn copy = old.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY public.p1 FROM STDIN");
      write(copy, "2\t2\tb\n");
      tableAlone("public.p", only("id", "b"));
      write(copy, "3\t2\tb\n");
      assertThatThrownBy(copy::endCopy)
          .hasMessageContaining("was set up anew")
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("40001");
      statement.execute("INSERT INTO public.p1 VALUES (2, 2, 'b')");
    }
    assertThat(rows()).containsExactly("{\"id\":1,\"a\":1}", "{\"id\":2,\"b\":\"b\"}");
  }

  /** As long as a partition is in use, it alone is not armed. */
  private void tableAlone(String table, CaptureOptions options) throws Exception {
    try (Captures captures = site.captures()) {
      String script = captures.script(new WantedCapture(RebaseSite.ORDERS, table, options), true);
      site.source.database.execute(script.substring(0, script.indexOf("\nCOMMIT;\n") + 9));
    }
  }

  private static void write(CopyIn copy, String row) throws SQLException {
    byte[] bytes = row.getBytes(StandardCharsets.UTF_8);
    copy.writeToCopy(bytes, 0, bytes.length);
    copy.flushCopy();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RENAME y TO t; ALTER TABLE public.m RENAME x TO y; ALTER TABLE public.m RENAME t TO x",
        "RENAME y TO z",
        "RENAME y TO z; INSERT INTO public.m VALUES (3, 3)"
      })
  void aTruncateOfAPartitionThatIsOlderThanItsColumnsNamesIsToBeRunAgain(String change)
      throws Exception {
    partitioned();
    try (Connection old = site.source.database.connect();
        Statement statement = old.createStatement()) {
      statement.execute(OLD);
      statement.execute("SELECT FROM pg_class");
      site.source.run(("ALTER TABLE public.m " + change).split("; "));
      failsByAge(statement, "TRUNCATE public.m1", "columns of table public.m have changed since");
      statement.execute("ROLLBACK");
      statement.execute(OLD);
      statement.execute("TRUNCATE public.m1");
      statement.execute("COMMIT");
    }
    site.provesEqual("public.m");
    assertThat(site.losses().stream().filter(each -> !each.startsWith("values may have")))
        .isEmpty();
  }

  private void partitioned() throws Exception {
    site.source.run(
        "CREATE TABLE public.m (x int, y int, v text, PRIMARY KEY (x, y)) PARTITION BY RANGE (y)",
        "CREATE TABLE public.m1 PARTITION OF public.m FOR VALUES FROM (1) TO (5)",
        "CREATE TABLE public.m2 PARTITION OF public.m FOR VALUES FROM (5) TO (9)");
    site.capture("public.m", OldImage.KEY, false);
    site.source.run("INSERT INTO public.m VALUES (1, 7), (7, 1), (2, 2)");
  }

  @Test
  void soThatOfOneThatWasToldAndTakenBackTellsItsColumns() throws Exception {
    partitioned();
    try (Connection old = site.source.database.connect();
        Statement statement = old.createStatement()) {
      statement.execute(OLD);
      statement.execute("SELECT FROM pg_class");
      site.source.run(
          "ALTER TABLE public.m RENAME y TO z",
          "INSERT INTO public.m VALUES (3, 3), (6, 6)",
          "ALTER TABLE public.m RENAME z TO y");
      statement.execute("TRUNCATE public.m1");
      statement.execute("COMMIT");
    }
    assertThat(site.count("schema")).isEqualTo(3);
    site.provesEqual("public.m");
  }

  private void conditioned() throws Exception {
    site.source.run("CREATE TABLE public.t (id int PRIMARY KEY, a int, b int)");
    site.capture("public.t", when("a = 1"), false);
    site.source.run("INSERT INTO public.t VALUES (1, 1, 0), (2, 0, 1)");
    assertThat(site.losses()).isEmpty();
  }

  private void needsASnapshot(String why) throws Exception {
    assertThat(site.losses())
        .singleElement()
        .asString()
        .contains(why)
        .contains("run recorder capture snapshot public.t --recorder orders");
    site.snapshot("public.t");
    assertThat(site.losses()).isEmpty();
    site.source.record(SnapshotSite.ALL);
    site.replay();
    String captured = "SELECT t::text FROM public.t t WHERE a = 1 ORDER BY 1";
    assertThat(site.target.query("SELECT t::text FROM public.t t ORDER BY 1", r -> r.getString(1)))
        .isEqualTo(site.source.ask(captured));
  }

  @Test
  void aConditionThatWasLeftOutNeedsASnapshotOnceItHoldsAgain() throws Exception {
    conditioned();
    site.source.run(
        "ALTER TABLE public.t ALTER a TYPE bigint", "INSERT INTO public.t VALUES (5, 0)");
    assertThat(site.losses()).singleElement().asString().contains("was left out", "--snapshot");
    site.capture("public.t", when("a = 1"), true);
    site.source.run("DELETE FROM public.t WHERE id = 5");
    needsASnapshot("found before: columns that its --when or --key names were others");
  }

  @Test
  void soDoesOneWhoseColumnHasItsNameAgain() throws Exception {
    conditioned();
    site.source.run(
        "ALTER TABLE public.t RENAME a TO x",
        "INSERT INTO public.t VALUES (5, 0)",
        "ALTER TABLE public.t RENAME x TO a",
        "DELETE FROM public.t WHERE id = 5");
    assertThat(site.losses()).singleElement().asString().contains("was left out", "--snapshot");
    site.snapshot("public.t");
    assertThat(site.losses()).as("it is so still").hasSize(1);
    site.capture("public.t", when("a = 1"), true);
    needsASnapshot("found before: columns that its --when or --key names were others");
  }

  @Test
  void soDoesOneThatMeansOtherColumnsWithTheSameText() throws Exception {
    conditioned();
    site.source.run(
        "ALTER TABLE public.t RENAME a TO x",
        "ALTER TABLE public.t RENAME b TO a",
        "ALTER TABLE public.t RENAME x TO b");
    site.capture("public.t", when("a = 1"), true);
    needsASnapshot("or other rows or columns were captured");
  }

  @Test
  void otherColumnsDoNotConcernIt() throws Exception {
    conditioned();
    site.source.run(
        "ALTER TABLE public.t RENAME b TO c",
        "ALTER TABLE public.t ADD d int",
        "INSERT INTO public.t VALUES (5, 0), (6, 1)");
    assertThat(site.losses()).isEmpty();
    site.capture("public.t", when("a = 1"), true);
    assertThat(site.losses()).isEmpty();
  }
}
