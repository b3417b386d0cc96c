package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.WithSnapshotSite;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table's key becomes another while the table is captured, and no column changes with it. */
class ChangedKeysIT extends WithSnapshotSite {
  private void capture(String table) throws Exception {
    site.source.run(table);
    site.capture("public.t", OldImage.ALL, false);
  }

  /** The keys that the log was told, each with the next change. */
  private List<String> told() throws Exception {
    return site.source.ask(
        "SELECT payload->>'key' FROM handoff.orders WHERE payload->>'op' = 'schema' ORDER BY id");
  }

  @Test
  void onceColumnsHaveChangedAnotherKeyIsToldBeforeTheNextChange() throws Exception {
    capture("CREATE TABLE public.t (a int NOT NULL, b int NOT NULL, v text)");
    site.source.run(
        "ALTER TABLE public.t ADD c int, ADD CONSTRAINT t_pkey PRIMARY KEY (a)",
        "INSERT INTO public.t VALUES (1, 1, 'a'), (2, 2, 'b')");
    site.provesEqual("public.t");
    site.source.run(
        "ALTER TABLE public.t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (a, b)",
        "INSERT INTO public.t VALUES (1, 2, 'c'), (1, 3, 'c')",
        "UPDATE public.t SET v = v || '!'");
    site.provesEqual("public.t");
    site.source.run("ALTER TABLE public.t DROP CONSTRAINT t_pkey", "UPDATE public.t SET a = a + 1");
    site.provesEqual("public.t");
    assertThat(site.losses()).isEmpty();
    site.capture("public.t", OldImage.ALL, true);
    assertThat(site.losses()).isEmpty();
  }

  @Test
  void soIsAnIndexWhoseNameComesFirst() throws Exception {
    capture("CREATE TABLE public.t (a int NOT NULL, b int NOT NULL, v text, UNIQUE (a))");
    site.source.run(
        "ALTER TABLE public.t ADD c int",
        "INSERT INTO public.t VALUES (1, 1, 'a')",
        "CREATE UNIQUE INDEX a_b ON public.t (b)",
        "INSERT INTO public.t VALUES (5, 2, 'b')",
        "UPDATE public.t SET a = a + 1, v = v || '!'",
        "DELETE FROM public.t WHERE b = 1");
    assertThat(told()).containsExactly("[\"a\"]", "[\"a\"]", "[\"b\"]");
    site.provesEqual("public.t");
  }

  @Test
  void soIsThatAKeyMayHaveNull() throws Exception {
    assumeTrue(site.source.database.number("SHOW server_version_num") >= 180_000);
    capture("CREATE TABLE public.t (b int, v text, UNIQUE (b))");
    site.source.run(
        "ALTER TABLE public.t ALTER b SET NOT NULL",
        "INSERT INTO public.t VALUES (1, 'a')",
        "ALTER TABLE public.t ALTER b DROP NOT NULL, ADD CONSTRAINT nn NOT NULL b NOT VALID",
        "INSERT INTO public.t VALUES (2, 'b')",
        "UPDATE public.t SET v = v || '!'");
    site.provesEqual("public.t");
    assertThat(site.losses()).isEmpty();
  }

  @Test
  void soItIsWhereNoColumnHasChanged() throws Exception {
    capture("CREATE TABLE public.t (a int PRIMARY KEY, b int NOT NULL)");
    site.source.run(
        "ALTER TABLE public.t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (a, b)",
        "INSERT INTO public.t VALUES (1, 1), (1, 2)");
    assertThat(told()).containsExactly("[\"a\"]", "[\"a\",\"b\"]");
    site.provesEqual("public.t");
    assertThat(site.losses()).isEmpty();

    site.capture("public.t", OldImage.ALL, true);
    site.source.run("INSERT INTO public.t VALUES (1, 3)");
    assertThat(site.losses()).isEmpty();
    site.provesEqual("public.t");
  }

  @Test
  void aKeyThatIsGoneForAWhileIsToldIfSomethingIsWrittenMeanwhile() throws Exception {
    capture("CREATE TABLE public.t (id int PRIMARY KEY, v text)");
    site.source.run(
        "INSERT INTO public.t VALUES (1, 'a')",
        "ALTER TABLE public.t DROP CONSTRAINT t_pkey",
        "INSERT INTO public.t VALUES (1, 'b')",
        "DELETE FROM public.t WHERE v = 'b'",
        "ALTER TABLE public.t ADD PRIMARY KEY (id)",
        "UPDATE public.t SET v = v || '!'");
    assertThat(told()).containsExactly("[\"id\"]", null, "[\"id\"]");
    site.provesEqual("public.t");
    assertThat(site.losses()).isEmpty();
  }

  @Test
  void soIsOneThatIsDeferrableForAWhileAndOneOfAPartitionedTable() throws Exception {
    capture("CREATE TABLE public.t (id int PRIMARY KEY, v text)");
    site.source.run(
        "ALTER TABLE public.t DROP CONSTRAINT t_pkey, ADD CONSTRAINT t_pkey PRIMARY KEY (id)"
            + " DEFERRABLE",
        "INSERT INTO public.t VALUES (1, 'a'), (2, 'b')",
        "BEGIN",
        "SET CONSTRAINTS t_pkey DEFERRED",
        "UPDATE public.t SET id = 2 WHERE v = 'a'",
        "UPDATE public.t SET id = 1 WHERE v = 'b'",
        "COMMIT",
        "ALTER TABLE public.t DROP CONSTRAINT t_pkey, ADD CONSTRAINT t_pkey PRIMARY KEY (id)");
    site.provesEqual("public.t");

    site.source.run(
        "CREATE TABLE public.p (id int NOT NULL, v text, UNIQUE (id)) PARTITION BY LIST (id)",
        "CREATE TABLE public.p1 PARTITION OF public.p DEFAULT");
    site.capture("public.p", OldImage.ALL, false);
    site.source.run(
        "INSERT INTO public.p VALUES (1, 'a')",
        "ALTER TABLE public.p DROP CONSTRAINT p_id_key",
        "INSERT INTO public.p1 VALUES (1, 'b')",
        "ALTER TABLE public.p ADD COLUMN w int",
        "DELETE FROM public.p WHERE v = 'b'",
        "ALTER TABLE public.p ADD UNIQUE (id)");
    site.provesEqual("public.p");
  }

  /** It is the same key, though another index: nothing is to be told, and nothing takes longer. */
  @Test
  void whatElseBecomesOfIndexesIsNoOtherKey() throws Exception {
    capture("CREATE TABLE public.t (a int NOT NULL, b int NOT NULL, UNIQUE (b))");
    site.source.run(
        "REINDEX INDEX CONCURRENTLY public.t_b_key",
        "CREATE UNIQUE INDEX z ON public.t (a)",
        "CREATE INDEX a ON public.t (a)",
        "CREATE UNIQUE INDEX e ON public.t ((a + b))",
        "ALTER INDEX public.t_b_key RENAME TO c",
        "INSERT INTO public.t VALUES (1, 1)");
    assertThat(told()).containsExactly("[\"b\"]");
    site.source.run("ALTER INDEX public.z RENAME TO b", "INSERT INTO public.t VALUES (2, 2)");
    assertThat(told()).containsExactly("[\"b\"]", "[\"a\"]");
  }

  /** The key of the log is one as it was, whichever would be taken if it were set up now. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE UNIQUE INDEX a_b ON public.t (b)",
        "CREATE UNIQUE INDEX z_b ON public.t (b); ALTER TABLE public.t REPLICA IDENTITY USING INDEX z_b",
        "ALTER TABLE public.t ADD PRIMARY KEY (b)"
      })
  void aSecondKeyIsNoLoss(String definition) throws Exception {
    capture("CREATE TABLE public.t (a int NOT NULL, b int NOT NULL, v text, UNIQUE (a))");
    site.source.run("INSERT INTO public.t VALUES (1, 1, 'a'), (2, 2, 'b')");

    site.source.run(definition.split("; "));
    site.source.run(
        "UPDATE public.t SET b = b + 10 WHERE a = 1",
        "UPDATE public.t SET a = a + 10 WHERE a = 2",
        "INSERT INTO public.t VALUES (3, 3, 'c')",
        "DELETE FROM public.t WHERE a = 3");

    assertThat(site.losses()).isEmpty();
    site.provesEqual("public.t");
    site.source.run(
        "ALTER TABLE public.t DROP CONSTRAINT t_a_key",
        "INSERT INTO public.t VALUES (1, 50, 'd'), (1, 60, 'e')",
        "DELETE FROM public.t WHERE b = 50");
    assertThat(site.losses()).isEmpty();
    site.provesEqual("public.t");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE public.t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (id), ALTER a DROP NOT NULL",
        "ALTER TABLE public.t DROP CONSTRAINT t_pkey, ALTER a DROP NOT NULL"
      })
  void aColumnThatLeavesTheKeyMayBeNull(String definition) throws Exception {
    capture("CREATE TABLE public.t (a int, id int, v text, PRIMARY KEY (a, id))");
    site.source.run("INSERT INTO public.t VALUES (1, 1, 'a')");
    site.provesEqual("public.t");

    site.source.run(definition, "INSERT INTO public.t VALUES (NULL, 2, 'b')");
    site.provesEqual("public.t");
    site.source.run("ALTER TABLE public.t RENAME a TO c", "UPDATE public.t SET c = NULL");
    site.provesEqual("public.t");
    site.source.run("ALTER TABLE public.t DROP c", "INSERT INTO public.t VALUES (3, 'c')");
    site.provesEqual("public.t");
  }

  @Test
  void soMayOneWhoseNameTheNewKeyTakes() throws Exception {
    capture("CREATE TABLE public.t (id int PRIMARY KEY, next bigint NOT NULL, UNIQUE (next))");
    site.source.run("INSERT INTO public.t VALUES (1, 11)");
    site.provesEqual("public.t");

    site.source.run(
        "ALTER TABLE public.t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (next), ALTER id DROP NOT NULL",
        "ALTER TABLE public.t RENAME id TO former",
        "ALTER TABLE public.t RENAME next TO id",
        "INSERT INTO public.t VALUES (NULL, 12)");
    site.provesEqual("public.t");
    site.source.run(
        "DELETE FROM public.t WHERE id = 12",
        "ALTER TABLE public.t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (former), ALTER id DROP NOT NULL,"
            + " DROP CONSTRAINT t_next_key",
        "INSERT INTO public.t VALUES (2, NULL)");
    site.provesEqual("public.t");
  }

  /** Rows without a key are told whole, so that nothing is missing. */
  @Test
  void aFirstKeyIsNone() throws Exception {
    capture("CREATE TABLE public.t (a int NOT NULL)");
    site.source.run(
        "INSERT INTO public.t VALUES (1)",
        "ALTER TABLE public.t ADD PRIMARY KEY (a)",
        "UPDATE public.t SET a = a + 1");
    site.capture("public.t", OldImage.KEY, true);
    site.source.run("INSERT INTO public.t VALUES (1)", "DELETE FROM public.t WHERE a = 2");
    assertThat(site.losses()).isEmpty();
    site.provesEqual("public.t");
  }
}
