package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.SnapshotSite;
import dev.recorder.capture.postgres.WithSnapshotSite;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes of columns whose values are not in the log, as capture tells them and replays take them.
 */
class ReplayedColumnsIT extends WithSnapshotSite {
  private static final String TASK = "public.task";

  @BeforeEach
  void setUp() throws Exception {
    site.source.run("CREATE TABLE public.task (id integer PRIMARY KEY, state text, name text)");
    site.capture(TASK, OldImage.KEY, false);
    site.source.run("INSERT INTO public.task VALUES (1, 'open', 'a'), (2, 'done', 'b')");
    site.provesEqual(TASK);
  }

  @Test
  void aColumnMayHaveTheNameThatAnotherWouldHaveWhileItIsRenamed() throws Exception {
    site.source.run(
        "ALTER TABLE public.task ADD recorder_replay_2 text",
        "INSERT INTO public.task VALUES (3, 'open', 'c', 'x')",
        "ALTER TABLE public.task RENAME state TO status",
        "INSERT INTO public.task VALUES (4, 'open', 'd', 'y')");
    site.provesEqual(TASK);
  }

  @Test
  void soMayOneThatGetsItAtTheSameTime() throws Exception {
    site.source.run(
        "ALTER TABLE public.task RENAME state TO status",
        "ALTER TABLE public.task RENAME name TO recorder_replay_2",
        "INSERT INTO public.task VALUES (3, 'open', 'c')",
        "ALTER TABLE public.task RENAME status TO recorder_replay_3",
        "ALTER TABLE public.task RENAME recorder_replay_2 TO status",
        "INSERT INTO public.task VALUES (4, 'open', 'd')");
    site.provesEqual(TASK);
  }

  @Test
  void valuesThatAnAlterTableMadeAreThereAfterASnapshotOrAChangeOfTheirRow() throws Exception {
    site.source.run(
        "ALTER TABLE public.task ALTER COLUMN state TYPE integer"
            + " USING CASE state WHEN 'open' THEN 1 ELSE 2 END",
        "INSERT INTO public.task VALUES (3, 1, 'c')",
        "UPDATE public.task SET name = 'bb' WHERE id = 2");
    site.source.record(SnapshotSite.ALL);
    site.replay();
    assertThat(
            site.target.query("SELECT t::text FROM public.task t ORDER BY id", r -> r.getString(1)))
        .containsExactly("(1,,a)", "(2,2,bb)", "(3,1,c)");

    site.snapshot(TASK);

    site.provesEqual(TASK);
  }

  @Test
  void aTableWhoseKeysAnAlterTableMadeIsThereAfterASnapshot() throws Exception {
    site.source.run(
        "ALTER TABLE public.task ALTER COLUMN id TYPE uuid" + " USING md5(id::text)::uuid",
        "INSERT INTO public.task VALUES (gen_random_uuid(), 'open', 'c')");
    site.source.record(SnapshotSite.ALL);
    site.replay();
    assertThat(site.target.query("SELECT name FROM public.task", r -> r.getString(1)))
        .containsExactly("c");

    site.snapshot(TASK);

    site.provesEqual(TASK);
  }

  /** Values of the former key say nothing of rows that have the same value in the new one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE public.member SET id = id + 100; ALTER TABLE public.member DROP COLUMN id",
        "DELETE FROM public.member WHERE id = 2; ALTER TABLE public.member DROP COLUMN id",
        "DELETE FROM public.member WHERE id = 2; ALTER TABLE public.member"
            + " DROP CONSTRAINT member_pkey; ALTER TABLE public.member RENAME id TO old"
      })
  void anotherColumnMayTakeTheKeysNameInTheTransactionThatMovedOrDeletedKeys(String former)
      throws Exception {
    site.source.run("CREATE TABLE public.member (id int PRIMARY KEY, uid int NOT NULL, name text)");
    site.capture("public.member", OldImage.KEY, false);
    site.source.run("INSERT INTO public.member VALUES (1, 2, 'a'), (2, 3, 'b'), (3, 4, 'c')");
    site.provesEqual("public.member");
    site.source.run(
        former
            + "; ALTER TABLE public.member RENAME uid TO id;"
            + " ALTER TABLE public.member ADD PRIMARY KEY (id);"
            + " UPDATE public.member SET name = upper(name)");

    site.provesEqual("public.member");
  }

  /** Half of it would have different rows be the same one. */
  @Test
  void aTableWhoseKeyGetsAColumnThatIsNotCapturedHasNoKeyInTheLog() throws Exception {
    site.source.run("CREATE TABLE public.line (id integer PRIMARY KEY, secret text, name text)");
    ColumnChoice choice = new ColumnChoice(List.of(), List.of("secret"));
    site.capture("public.line", new CaptureOptions(choice, null, null, OldImage.KEY), false);
    site.source.run(
        "INSERT INTO public.line VALUES (1, 's', 'a')",
        "ALTER TABLE public.line DROP CONSTRAINT line_pkey, ADD PRIMARY KEY (id, secret)",
        "INSERT INTO public.line VALUES (1, 't', 'b'), (2, 's', 'c')",
        "UPDATE public.line SET name = 'bb' WHERE secret = 't'",
        "DELETE FROM public.line WHERE id = 2");

    site.source.record(SnapshotSite.ALL);
    site.replay();

    assertThat(
            site.target.query(
                "SELECT id || name FROM public.line ORDER BY name", r -> r.getString(1)))
        .containsExactly("1a", "1bb");
    try (Captures captures = site.captures()) {
      assertThat(captures.check()).filteredOn(CaptureFinding::losesChanges).isEmpty();
    }
  }

  @Test
  void aColumnThatIsDroppedAndAddedBeforeTheNextWriteIsAnother() throws Exception {
    site.source.run(
        "ALTER TABLE public.task DROP COLUMN state",
        "ALTER TABLE public.task ADD COLUMN state text DEFAULT 'new'",
        "ALTER TABLE public.task DROP COLUMN name",
        "ALTER TABLE public.task ADD COLUMN name text",
        "INSERT INTO public.task VALUES (3, 'open', 'c')");

    site.provesEqual(TASK);
  }

  @Test
  void aPartitionThatIsTruncatedAfterColumnsHaveSwappedNamesLosesItsRowsAndNoOthers()
      throws Exception {
    partitioned();
    site.source.run(
        "ALTER TABLE public.m RENAME y TO t",
        "ALTER TABLE public.m RENAME x TO y",
        "ALTER TABLE public.m RENAME t TO x",
        "TRUNCATE public.m1");

    site.provesEqual("public.m");

    site.source.run("INSERT INTO public.m (y, x) VALUES (7, 7), (8, 1)", "TRUNCATE public.m1");
    site.provesEqual("public.m");
  }

  @Test
  void aPartitionMayBeTruncatedBeforeItsLogHasAColumnOfItsBounds() throws Exception {
    partitioned();
    site.source.run(
        "ALTER TABLE public.m RENAME y TO year",
        "SET quote_all_identifiers = on",
        "TRUNCATE public.m1",
        "INSERT INTO public.m VALUES (2, 5)");

    site.provesEqual("public.m");
  }

  @Test
  void aSnapshotIsTakenAfterAColumnOfTheKeyIsRenamed() throws Exception {
    site.source.run("ALTER TABLE public.task RENAME id TO number");

    site.snapshot(TASK);

    site.provesEqual(TASK);
    site.source.run("UPDATE public.task SET number = number + 10");
    site.provesEqual(TASK);
  }

  @Test
  void tablesThatHaveSwappedNamesAreWhatTheyAreCalledAfterBothAreCapturedAnew() throws Exception {
    site.source.run("CREATE TABLE public.b (id integer PRIMARY KEY, at date)");
    site.capture("public.b", OldImage.KEY, false);
    site.source.run(
        "INSERT INTO public.b VALUES (7, '2026-01-01')",
        "ALTER TABLE public.b RENAME TO x",
        "ALTER TABLE public.task RENAME TO b",
        "ALTER TABLE public.x RENAME TO task");
    site.remove("public.b");
    site.remove(TASK);
    for (String table : new String[] {TASK, "public.b"}) {
      site.capture(table, OldImage.KEY, false);
      site.snapshot(table);
    }

    site.provesEqual(TASK);
    site.provesEqual("public.b");
  }

  private void partitioned() throws Exception {
    site.source.run(
        "CREATE TABLE public.m (x int, y int, PRIMARY KEY (x, y)) PARTITION BY RANGE (y)",
        "CREATE TABLE public.m1 PARTITION OF public.m FOR VALUES FROM (1) TO (2)",
        "CREATE TABLE public.m2 PARTITION OF public.m FOR VALUES FROM (2) TO (9)");
    site.capture("public.m", OldImage.KEY, false);
    site.source.run("INSERT INTO public.m VALUES (1, 5), (5, 1)");
  }

  /**
   * A cast that makes a text of them drops their blanks, and one that lifts their limit does not.
   */
  @Test
  void blanksAtTheEndAreThoseThatTheSourceHas() throws Exception {
    site.source.run(
        "CREATE TABLE public.padded (id int, a char(5), b char(5), c bpchar, d bpchar)");
    site.capture("public.padded", OldImage.ALL, false);
    site.source.run(
        "INSERT INTO public.padded VALUES (1, 'a', 'b', 'c ', 'd '), (2, 'a', 'b', 'c ', 'd ')",
        "UPDATE public.padded SET c = 'c' WHERE id = 2");
    site.provesEqual("public.padded");

    site.source.run(
        """
        ALTER TABLE public.padded ALTER a TYPE bpchar, ALTER b TYPE text, ALTER c TYPE text,
          ALTER d TYPE char(4)\
        """,
        "INSERT INTO public.padded (id) VALUES (3)");

    site.provesEqual("public.padded");
  }
}
