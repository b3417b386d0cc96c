package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.WithSnapshotSite;
import dev.recorder.operate.rebase.RebaseSite;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values of which only a snapshot tells, since their table was captured in another way before, or
 * not at all, or is made of others.
 */
class RecapturedValuesIT extends WithSnapshotSite {
  @BeforeEach
  void create() throws Exception {
    site.source.run("CREATE TYPE public.mood AS ENUM ('a', 'b')");
  }

  private void capture(String columns, String... rows) throws Exception {
    site.source.run("CREATE TABLE public.t (id int PRIMARY KEY" + columns + ")");
    site.capture("public.t", OldImage.KEY, false);
    site.source.run(rows);
    assertThat(site.losses()).isEmpty();
  }

  private void isALossUntilASnapshot(String... statements) throws Exception {
    site.source.run(statements);
    assertThat(site.losses())
        .singleElement()
        .asString()
        .contains("recorder capture add public.t --recorder orders --again --snapshot");

    site.capture("public.t", OldImage.KEY, true);
    isALossUntilTheSnapshotIsTaken();
  }

  private void isALossUntilTheSnapshotIsTaken() throws Exception {
    assertThat(site.losses())
        .singleElement()
        .asString()
        .contains("until a snapshot: run recorder capture snapshot public.t --recorder orders");

    site.snapshot("public.t");
    assertThat(site.losses()).isEmpty();
  }

  /** {@link ChangedValuesIT} has all that is a loss so. */
  @Test
  void aColumnOfAnotherTypeIsALossUntilASnapshot() throws Exception {
    capture(", v text", "INSERT INTO public.t VALUES (1, '5')");
    isALossUntilASnapshot(
        "ALTER TABLE public.t ALTER COLUMN v TYPE int USING v::int + 1",
        "INSERT INTO public.t VALUES (2, DEFAULT)");
    site.provesEqual("public.t");
  }

  @Test
  void valuesThatOnePartitionMakesOfOthersInAnotherWayAreALossUntilASnapshot() throws Exception {
    assumeTrue(site.source.database.number("SHOW server_version_num") >= 170_000);
    site.source.run(
        "CREATE TABLE public.t (id int PRIMARY KEY, s int,"
            + " v int GENERATED ALWAYS AS (s * 2) STORED) PARTITION BY RANGE (id)",
        "CREATE TABLE public.t1 PARTITION OF public.t FOR VALUES FROM (0) TO (100)");
    site.capture("public.t", OldImage.KEY, false);
    site.source.run("INSERT INTO public.t (id, s) VALUES (1, 5)");
    assertThat(site.losses()).isEmpty();
    isALossUntilASnapshot("ALTER TABLE public.t1 ALTER v SET EXPRESSION AS (s * 7)");
  }

  /** The capture of another table with the name of one that is captured, but is gone. */
  @Test
  void aTableThatTakesTheNameOfOneThatIsGoneKeepsItsCaptureUntilBothAreEnded() throws Exception {
    capture("");
    site.source.run("CREATE TABLE public.u (id int PRIMARY KEY)");
    site.capture("public.u", OldImage.KEY, false);
    site.source.run("DROP TABLE public.t", "ALTER TABLE public.u RENAME TO t");
    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("its table is gone, and public.t is another one, which is captured as public.u")
        .contains("recorder capture remove public.t --recorder orders twice");

    site.remove("public.t");
    site.remove("public.t");
    site.capture("public.t", OldImage.KEY, false);
    isALossUntilTheSnapshotIsTaken();
  }

  /** Whatever rows it has by then: copies have those of before. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE public.t SET v = 'b' WHERE id = 1",
        "DELETE FROM public.t",
        "DROP TABLE public.t; CREATE TABLE public.t (id int PRIMARY KEY, v text)"
      })
  void changesBetweenTheEndOfACaptureAndTheNextAreALossUntilASnapshot(String change)
      throws Exception {
    capture(", v text", "INSERT INTO public.t VALUES (1, 'a'), (2, 'a')");
    site.provesEqual("public.t");
    site.remove("public.t");
    site.source.run(change);
    site.capture("public.t", OldImage.KEY, false);

    isALossUntilTheSnapshotIsTaken();

    site.provesEqual("public.t");
    site.capture("public.t", OldImage.KEY, true);
    assertThat(site.losses()).isEmpty();
  }

  @Test
  void soTheyAreIfAnAdministratorRunsTheScriptTwiceThatEndsIt() throws Exception {
    capture(", v text", "INSERT INTO public.t VALUES (1, 'a')");
    try (Captures captures = site.captures()) {
      String script = captures.removal(RebaseSite.ORDERS, "public.t");
      site.source.database.execute(script, script);
    }
    site.source.run("DELETE FROM public.t");
    site.capture("public.t", OldImage.KEY, false);
    site.capture("public.t", OldImage.KEY, true);

    isALossUntilTheSnapshotIsTaken();
  }

  @Test
  void aTypeThatChangesWhereThereIsNoRowIsNone() throws Exception {
    site.source.run("CREATE TABLE public.t (id int PRIMARY KEY, v oid) PARTITION BY LIST (id)");
    site.capture("public.t", OldImage.KEY, false);
    site.source.run(
        "ALTER TABLE public.t ALTER v TYPE int",
        "CREATE TABLE public.t1 PARTITION OF public.t DEFAULT");
    assertThat(site.losses()).noneMatch(text -> text.startsWith("values may have changed"));
  }

  @Test
  void rowsThatAnotherConditionCapturesAreALossUntilASnapshot() throws Exception {
    site.source.run("CREATE TABLE public.t (id int PRIMARY KEY, a text)");
    site.capture("public.t", options(ColumnChoice.ALL, "id < 2"), false);
    site.source.run("INSERT INTO public.t VALUES (1, 'a'), (2, 'b')");

    site.capture("public.t", options(ColumnChoice.ALL, null), true);

    isALossUntilTheSnapshotIsTaken();
  }

  @Test
  void soAreColumnsThatItLeftOutBefore() throws Exception {
    site.source.run("CREATE TABLE public.t (id int PRIMARY KEY, a text, b text)");
    site.capture("public.t", options(new ColumnChoice(List.of("id", "a"), List.of()), null), false);
    site.source.run("INSERT INTO public.t VALUES (1, 'a', 'b')");

    site.capture("public.t", options(new ColumnChoice(List.of(), List.of("a")), null), true);
    isALossUntilTheSnapshotIsTaken();
    site.capture("public.t", options(new ColumnChoice(List.of("id"), List.of()), null), true);
    assertThat(site.losses()).isEmpty();

    site.capture("public.t", options(ColumnChoice.ALL, null), true);
    isALossUntilTheSnapshotIsTaken();
    site.provesEqual("public.t");
  }

  @Test
  void aColumnThatIsLeftOutIsNoNewOneUnderAnotherName() throws Exception {
    site.source.run("CREATE TABLE public.t (id int PRIMARY KEY, m public.mood)");
    site.capture("public.t", options(new ColumnChoice(List.of(), List.of("m")), null), false);
    site.source.run(
        "INSERT INTO public.t VALUES (1, 'a')",
        "ALTER TABLE public.t RENAME m TO n",
        "VACUUM FULL public.t",
        "ALTER TYPE public.mood RENAME VALUE 'a' TO 'aa'");
    assertThat(site.losses()).isEmpty();
  }

  private static CaptureOptions options(ColumnChoice columns, @Nullable String when) {
    return new CaptureOptions(columns, when, null, OldImage.KEY);
  }
}
