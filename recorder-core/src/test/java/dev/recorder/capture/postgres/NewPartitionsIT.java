package dev.recorder.capture.postgres;

import static dev.recorder.capture.postgres.CaptureNews.NewsKind.ARMED;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.NOT_ARMED;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.PERHAPS_LOST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Partitions that are made below a captured table, as the active machine finds them. */
class NewPartitionsIT extends WithKeptSite {
  private static final TableName MEASURE = new TableName("public", "measure");

  @BeforeEach
  void create() throws Exception {
    kept.mayTrigger();
    site.run(
        """
        CREATE TABLE measure (year int, id int, value numeric, PRIMARY KEY (year, id))
          PARTITION BY RANGE (year)""",
        "CREATE TABLE m_old PARTITION OF measure FOR VALUES FROM (2000) TO (2020)");
    site.capture("measure");
  }

  private List<CaptureNews.NewsKind> kinds() throws Exception {
    return kept.faults().stream().map(CaptureNews::kind).toList();
  }

  @Test
  void anEmptyOneIsArmedAndNothingIsSaidToBeLost() throws Exception {
    assertThat(kept.faults()).isEmpty();
    site.run(
        "CREATE TABLE m_new PARTITION OF measure FOR VALUES FROM (2020) TO (2030)"
            + " PARTITION BY RANGE (year)",
        "CREATE TABLE m_new_1 PARTITION OF m_new FOR VALUES FROM (2020) TO (2025)");

    assertThat(kept.faults())
        .extracting(CaptureNews::kind, CaptureNews::about)
        .containsExactlyInAnyOrder(tuple(ARMED, "public.m_new"), tuple(ARMED, "public.m_new_1"));
    assertThat(kept.faults()).isEmpty();

    site.run(
        "INSERT INTO m_new_1 VALUES (2020, 1, 1)",
        "INSERT INTO m_new VALUES (2021, 1, 2)",
        "UPDATE m_new_1 SET value = 3 WHERE year = 2020");
    Replay.provesEqual(site, MEASURE);
  }

  @Test
  void oneThatWasWrittenToIsArmedAndItsRowsAreSaidToBeLostPerhaps() throws Exception {
    site.run(
        "CREATE TABLE m_new PARTITION OF measure FOR VALUES FROM (2020) TO (2030)",
        "INSERT INTO m_new VALUES (2020, 1, 1)");

    assertThat(kept.faults())
        .last()
        .satisfies(
            news -> {
              assertThat(news.kind()).isEqualTo(PERHAPS_LOST);
              assertThat(news.about()).isEqualTo("public.m_new");
              assertThat(news.text())
                  .contains("written by way of public.measure")
                  .contains("'recorder capture snapshot' hands over all rows of public.measure");
            });

    site.run("UPDATE m_new SET value = value");
    assertThat(site.rows()).last().asString().contains("\"op\":\"update\"", "\"year\":2020");
  }

  @Test
  void rowsThatWereRolledBackOrTruncatedOrCameWithTheTableAreSaidToBeLostPerhapsToo()
      throws Exception {
    site.run(
        "CREATE TABLE m_new PARTITION OF measure FOR VALUES FROM (2020) TO (2030)",
        "INSERT INTO m_new VALUES (2020, 1, 1)",
        "TRUNCATE m_new");
    assertThat(kinds()).containsExactly(ARMED, PERHAPS_LOST);

    site.run(
        "CREATE TABLE m_came (LIKE measure INCLUDING ALL)",
        "INSERT INTO m_came VALUES (2030, 1, 1)",
        "ALTER TABLE measure ATTACH PARTITION m_came FOR VALUES FROM (2030) TO (2040)");
    assertThat(kinds()).containsExactly(ARMED, PERHAPS_LOST);
  }

  @Test
  void oneThatItMayNotArmIsToldWithTheRightAndArmedOnceItHasIt() throws Exception {
    site.run(
        "CREATE TABLE \"M x\" PARTITION OF measure FOR VALUES FROM (2020) TO (2030)",
        "REVOKE TRIGGER ON \"M x\" FROM " + TestDatabase.ROLE);

    List<CaptureNews> first = kept.faults();
    assertThat(first).hasSize(1);
    assertThat(first.get(0).kind()).isEqualTo(NOT_ARMED);
    String grant = "GRANT TRIGGER ON public.\"M x\" TO \"recorder\"";
    assertThat(first.get(0).text()).contains("has not the right TRIGGER", grant, "--online");
    assertThat(kept.faults()).isEqualTo(first);

    site.run(grant);
    assertThat(kinds()).containsExactly(ARMED);
  }

  @Test
  void oneThatIsNewTellsATruncateWhenTheWholeDoes() throws Exception {
    site.run(
        "CREATE TABLE m_new PARTITION OF measure FOR VALUES FROM (2020) TO (2030)",
        """
        CREATE FUNCTION seed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO public.measure VALUES (2001, 1, 5), (2021, 1, 5);
          RETURN NULL;
        END $$""",
        "CREATE TRIGGER seed AFTER TRUNCATE ON measure EXECUTE FUNCTION seed()");
    assertThat(kinds()).containsExactly(ARMED);

    site.run("INSERT INTO measure VALUES (2021, 2, 1)", "TRUNCATE measure");

    Replay.provesEqual(site, MEASURE);
  }

  @Test
  void oneThatIsLockedForLongIsTriedAgainAndKeepsNoOtherFromBeingArmed() throws Exception {
    site.run(
        "CREATE TABLE m_a PARTITION OF measure FOR VALUES FROM (2020) TO (2030)",
        "CREATE TABLE m_b PARTITION OF measure FOR VALUES FROM (2030) TO (2040)");
    try (Connection other = site.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("INSERT INTO m_a VALUES (2020, 1, 1)");

      assertThat(kinds()).containsExactly(ARMED);
      List<CaptureNews> second = kept.faults();
      assertThat(second).hasSize(1);
      assertThat(second.get(0).kind()).isEqualTo(NOT_ARMED);
      assertThat(second.get(0).about()).isEqualTo("public.m_a");
      assertThat(second.get(0).text()).startsWith("it is in use, and tried again");
      assertThat(second.get(0).sentence()).contains("blocked by database session");
      assertThat(kept.faults())
          .extracting(CaptureNews::withoutDetail)
          .containsExactly(second.get(0).withoutDetail());
      site.run("INSERT INTO m_a VALUES (2021, 1, 1)");

      other.commit();
    }
    assertThat(kinds()).containsExactly(ARMED, PERHAPS_LOST);
  }

  @Test
  void oneThatSomebodyHasForHimselfFailsNothingElse() throws Exception {
    site.run(
        "CREATE TABLE m_a PARTITION OF measure FOR VALUES FROM (2020) TO (2030)",
        "CREATE TABLE m_b PARTITION OF measure FOR VALUES FROM (2030) TO (2040)");
    try (Connection other = site.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE ONLY m_a IN ACCESS EXCLUSIVE MODE");

      assertThat(kinds()).containsExactly(ARMED);
      assertThat(kinds()).containsExactly(NOT_ARMED);
      other.rollback();
    }
    assertThat(kinds()).containsExactly(ARMED);
  }

  @Test
  void oneThatIsNoPartitionAnyMoreGetsNoTriggers() throws Exception {
    site.run("CREATE TABLE m_new PARTITION OF measure FOR VALUES FROM (2020) TO (2030)");
    CaptureFinding found;
    try (Captures captures = site.captures()) {
      found = captures.check().stream().filter(f -> f.unarmed() != null).findFirst().orElseThrow();
    }
    site.run(
        "ALTER TABLE measure DETACH PARTITION m_new",
        "ALTER TABLE m_new RENAME TO m_gone",
        "CREATE TABLE m_new PARTITION OF measure FOR VALUES FROM (2020) TO (2030)");

    try (Connection administrator = site.database.connectAsSuperuser()) {
      PartitionArming arming = new PartitionArming(administrator, CaptureSite.NAMES);
      assertThat(arming.arm(found)).isEmpty();
    }

    assertThat(triggers("m_gone")).isZero();
    assertThat(triggers("m_new")).isZero();
    assertThat(kinds()).containsExactly(ARMED);
    assertThat(triggers("m_new")).isEqualTo(4);
  }

  @Test
  void aMachineThatIsNotActiveAnyMoreArmsNothing() throws Exception {
    site.run("CREATE TABLE m_new PARTITION OF measure FOR VALUES FROM (2020) TO (2030)");

    kept.keeping.look(KeptSite.WATCHED, List.of(), recorder -> false);

    assertThat(triggers("m_new")).isZero();
  }

  private long triggers(String table) throws SQLException {
    return site.database.number(
        "SELECT count(*) FROM pg_trigger WHERE tgname LIKE '00%%' AND tgrelid = 'public.%s'::regclass"
            .formatted(table));
  }
}
