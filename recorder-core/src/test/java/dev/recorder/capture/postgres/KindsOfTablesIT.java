package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.CaptureNews.NewsKind;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a captured table can become whose changes no trigger of ours sees, or not all of them. */
class KindsOfTablesIT extends WithKeptSite {
  @BeforeEach
  void create() throws Exception {
    kept.mayTrigger();
    site.run("CREATE TABLE a (id int PRIMARY KEY, v text)");
    site.capture("a");
  }

  private void refuses(String table, String... says) {
    assertThatThrownBy(() -> site.capture(table, OldImage.ALL))
        .isInstanceOf(RefusedCaptureException.class)
        .hasMessageContainingAll(says);
  }

  @Test
  void oneThatIsUnloggedIsRefusedAndOneThatBecomesItIsNamed() throws Exception {
    site.run(
        "CREATE UNLOGGED TABLE c (id int PRIMARY KEY)",
        "CREATE TABLE p (id int PRIMARY KEY) PARTITION BY LIST (id)",
        "CREATE UNLOGGED TABLE p1 PARTITION OF p DEFAULT");
    refuses("c", "table public.c is UNLOGGED", "a crash of the server empties it", "SET LOGGED");
    refuses("p", "table public.p1 is UNLOGGED", "ALTER TABLE public.p1 SET LOGGED");

    site.run("ALTER TABLE a SET UNLOGGED");
    assertThat(site.losses())
        .singleElement()
        .asString()
        .contains(
            "ALTER TABLE public.a SET LOGGED; then recorder capture snapshot public.a --recorder"
                + " orders");
    assertThat(kept.faults()).extracting(CaptureNews::kind).containsExactly(NewsKind.LOSING);

    site.run("ALTER TABLE a SET LOGGED");
    assertThat(site.losses())
        .singleElement()
        .asString()
        .contains("is UNLOGGED", "until a snapshot");
  }

  @Test
  void namesThatTwoTablesWouldShareInALogAreRefused() throws Exception {
    site.run(
        "CREATE SCHEMA \"b.org\"",
        "CREATE TABLE \"b.org\".t (id int PRIMARY KEY)",
        "CREATE SCHEMA b",
        "CREATE TABLE b.\"org.t\" (id int PRIMARY KEY)");
    refuses("\"b.org\".t", "table \"b.org\".\"t\" has a dot", "calls it b.org.t");
    refuses("b.\"org.t\"", "table \"b\".\"org.t\" has a dot", "calls it b.org.t");
  }

  @Test
  void oneWithoutColumnsIsRefused() throws Exception {
    site.run("CREATE TABLE nothing ()");
    refuses("nothing", "public.nothing has no column that could be captured");
  }

  @Test
  void aChildByInheritsIsNamedAndSoIsAParent() throws Exception {
    site.run("CREATE TABLE a_vip (vip bool) INHERITS (a)");
    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("table public.a_vip is a child of it by INHERITS")
        .contains("ALTER TABLE public.a_vip NO INHERIT public.a; then recorder capture snapshot");
    site.run("ALTER TABLE a_vip NO INHERIT a");
    site.snapshot("a");
    assertThat(site.losses()).isEmpty();

    site.run("CREATE TABLE above (id int)", "ALTER TABLE a INHERIT above");
    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("it is a child of public.above by INHERITS")
        .contains("ALTER TABLE public.a NO INHERIT public.above");
    site.run("ALTER TABLE a NO INHERIT above");
    site.snapshot("a");
    assertThat(site.losses()).isEmpty();
  }

  @Test
  void oneThatBecomesAPartitionIsNamed() throws Exception {
    site.run(
        "CREATE TABLE big (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)",
        "ALTER TABLE big ATTACH PARTITION a FOR VALUES FROM (1) TO (9)",
        "INSERT INTO a VALUES (1, 'still captured')");

    assertThat(site.ops()).containsExactly("insert");
    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("it is a partition of public.big now")
        .contains("recorder capture remove", "capture public.big");
    site.remove("a");
    site.capture("big");
    assertThat(site.losses()).isEmpty();
  }

  /** The host gives it the triggers of the table that it has become a part of. */
  @Test
  void soIsOneThatIsAttachedToACapturedTable() throws Exception {
    site.run("CREATE TABLE big (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)");
    site.capture("big");
    site.run("ALTER TABLE big ATTACH PARTITION a FOR VALUES FROM (1) TO (9)");
    kept.look();
    site.run("INSERT INTO a VALUES (1, 'once')");

    assertThat(site.rows()).singleElement().asString().contains("\"table\":\"public.big\"");
    assertThat(site.losses()).singleElement().asString().startsWith("its table is gone");
    site.remove("a");
    assertThat(site.losses()).isEmpty();
    site.run("INSERT INTO a VALUES (2, 'once')");
    assertThat(site.ops()).hasSize(2);
  }

  @Test
  void aPartitionThatIsAForeignTableIsNamedWithWhatTakesItAway() throws Exception {
    site.run(
        "CREATE TABLE f (id int, y int) PARTITION BY RANGE (y)",
        "CREATE TABLE f1 PARTITION OF f FOR VALUES FROM (1) TO (2)");
    site.capture("f", OldImage.ALL);
    site.database.execute(
        "CREATE FOREIGN DATA WRAPPER w",
        "CREATE SERVER s FOREIGN DATA WRAPPER w",
        "CREATE FOREIGN TABLE public.f2 PARTITION OF public.f FOR VALUES FROM (2) TO (3) SERVER s");

    assertThat(site.losses())
        .singleElement()
        .asString()
        .startsWith("partition public.f2 is a foreign table")
        .contains("ALTER TABLE public.f DETACH PARTITION public.f2");
    site.run("INSERT INTO f VALUES (1, 1)", "ALTER TABLE f DETACH PARTITION f2");

    assertThat(site.losses()).singleElement().asString().contains("until a snapshot");
    assertThat(site.ops()).containsExactly("insert");
  }
}
