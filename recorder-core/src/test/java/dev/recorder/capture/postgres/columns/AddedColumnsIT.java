package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.WithSnapshotSite;
import org.junit.jupiter.api.Test;

/** What rows that were there have in a column that is added. */
class AddedColumnsIT extends WithSnapshotSite {
  private static final String MEASURE = "public.measure";

  @Test
  void ofAPartitionedTableTheyHaveItsDefaultInAReplayToo() throws Exception {
    site.source.run(
        "CREATE TABLE public.measure (id int PRIMARY KEY, name text) PARTITION BY RANGE (id)",
        "CREATE TABLE public.m_low PARTITION OF public.measure FOR VALUES FROM (0) TO (100)"
            + " PARTITION BY RANGE (id)",
        "CREATE TABLE public.m_1 PARTITION OF public.m_low FOR VALUES FROM (0) TO (50)",
        "CREATE TABLE public.m_2 PARTITION OF public.m_low DEFAULT");
    site.capture(MEASURE, OldImage.KEY, false);
    site.source.run("INSERT INTO public.measure VALUES (1, 'one'), (60, 'sixty')");
    site.provesEqual(MEASURE);

    site.source.run(
        "ALTER TABLE public.measure ADD COLUMN c int NOT NULL DEFAULT 5, ADD COLUMN d text",
        "ALTER TABLE public.measure ALTER COLUMN c DROP DEFAULT",
        "INSERT INTO public.measure (id, c) VALUES (2, 7)");

    site.provesEqual(MEASURE);
  }

  /** Only a column that has not changed since is the same in the table and in its partitions. */
  @Test
  void ofAPartitionedTableTheyAreALossIfTheColumnIsGrantedBeforeTheLogHasIt() throws Exception {
    site.source.run(
        "CREATE TABLE public.measure (id int PRIMARY KEY) PARTITION BY RANGE (id)",
        "CREATE TABLE public.m_1 PARTITION OF public.measure DEFAULT");
    site.capture(MEASURE, OldImage.KEY, false);
    site.source.run(
        "INSERT INTO public.measure VALUES (1)",
        "ALTER TABLE public.measure ADD COLUMN c int DEFAULT 5",
        "GRANT SELECT (c) ON public.measure TO PUBLIC",
        "INSERT INTO public.measure VALUES (2)");

    assertThat(site.losses())
        .singleElement()
        .asString()
        .contains("recorder capture add public.measure --recorder orders --again --snapshot");

    site.capture(MEASURE, OldImage.KEY, true);
    site.snapshot(MEASURE);
    assertThat(site.losses()).isEmpty();
    site.provesEqual(MEASURE);
  }

  /** What a table had before it became a partition is in its rows, which nobody tells. */
  @Test
  void whatAPartitionHadBeforeItWasAttachedIsNotTheWholeTables() throws Exception {
    site.source.run(
        "CREATE TABLE public.measure (id int PRIMARY KEY, c int) PARTITION BY RANGE (id)",
        "CREATE TABLE public.m_1 (id int PRIMARY KEY)",
        "ALTER TABLE public.m_1 ADD COLUMN c int DEFAULT 5",
        "ALTER TABLE public.measure ATTACH PARTITION public.m_1 DEFAULT");
    site.capture(MEASURE, OldImage.KEY, false);

    assertThat(site.source.ask("SELECT payload::text FROM handoff.orders"))
        .singleElement()
        .asString()
        .doesNotContain("existing_rows");
  }

  /** An array of boxes has another character between them than other arrays. */
  @Test
  void theyHaveItsDefaultWhateverDividesAnArrayOfItsType() throws Exception {
    site.source.run("CREATE TABLE public.measure (id int PRIMARY KEY)");
    site.capture(MEASURE, OldImage.KEY, false);
    site.source.run("INSERT INTO public.measure VALUES (1)");

    site.source.run(
        """
        ALTER TABLE public.measure ADD b box DEFAULT '(1,1),(0,0)',
          ADD bs box[] DEFAULT '{(1,1),(0,0);(2,2),(0,0)}', ADD p point DEFAULT '(1,2)',
          ADD t text DEFAULT E'a,b;"c"\\\\ ', ADD e text DEFAULT '', ADD n text DEFAULT 'NULL',
          ADD ts text[] DEFAULT '{"a,b",NULL,""}', ADD d date DEFAULT '2026-01-02',
          ADD f float8 DEFAULT 0.1, ADD c bpchar DEFAULT 'a ', ADD x bytea DEFAULT '\\x00'
        """,
        "INSERT INTO public.measure (id) VALUES (2)");

    site.provesEqual(MEASURE);
    assertThat(site.target.query("SELECT b::text FROM public.measure", row -> row.getString(1)))
        .containsExactly("(1,1),(0,0)", "(1,1),(0,0)");
  }
}
