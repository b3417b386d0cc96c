package dev.recorder.capture.postgres;

import static dev.recorder.capture.postgres.CaptureNews.NewsKind.ARMED;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.NOT_ARMED;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.NOT_SET_UP;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.OTHERWISE;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.PERHAPS_OLD;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.SET_UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.TableName;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables that a file has ask for documents, as machines and an administrator deal with them. */
class DocumentsOfTheFileIT extends WithKeptSite {
  private static final CaptureRule LINE = rule("line", "order_id");
  private static final String LOOKED_UP = "SELECT o.id FROM public.orders o WHERE o.id = order_id";

  @BeforeEach
  void create() throws Exception {
    site.run(
        "CREATE TABLE orders (id int PRIMARY KEY)",
        "INSERT INTO orders SELECT generate_series(1, 9)",
        "CREATE TABLE line (id int, order_id int) PARTITION BY RANGE (id)",
        "CREATE TABLE l_1 PARTITION OF line FOR VALUES FROM (0) TO (10)");
  }

  private static CaptureRule rule(String table, String entity) {
    return new CaptureRule(
        CaptureSite.ACCOUNTS,
        new TableName("public", table),
        CaptureOptions.ofDocuments(entity, null));
  }

  /** As a role has it that made the recorder's schemas, and may let others read the tables. */
  private void ownsAll() throws SQLException {
    site.database.execute(
        "GRANT recorder_capture, recorder_reader TO " + TestDatabase.ROLE,
        "ALTER SCHEMA recorder OWNER TO " + TestDatabase.ROLE,
        "ALTER SCHEMA handoff OWNER TO " + TestDatabase.ROLE,
        "ALTER TABLE handoff.accounts OWNER TO " + TestDatabase.ROLE,
        "GRANT CREATE, TEMPORARY ON DATABASE " + site.database.name() + " TO " + TestDatabase.ROLE);
    String theirs = " TO " + TestDatabase.ROLE + " WITH GRANT OPTION";
    site.run(
        "GRANT SELECT, TRIGGER ON orders, line, l_1" + theirs,
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, TRIGGER ON TABLES" + theirs);
  }

  private String script(CaptureRule... wanted) throws Exception {
    try (Captures captures = site.captures()) {
      return captures.script(List.of(wanted));
    }
  }

  private static List<CaptureNews.NewsKind> kinds(List<CaptureNews> news) {
    return news.stream().map(CaptureNews::kind).toList();
  }

  @Test
  void aMachineThatMaySetsThemUpOnceAndThenLeavesThemAlone() throws Exception {
    ownsAll();

    assertThat(kinds(kept.faults(LINE))).containsExactly(SET_UP);
    assertThat(kept.faults(LINE)).isEmpty();

    site.run("INSERT INTO line VALUES (1, 1)", "INSERT INTO l_1 VALUES (2, 2)");
    assertThat(site.asked()).containsExactly("1", "2");
  }

  @Test
  void aMachineThatMayNotSaysSoAndWhatAnAdministratorRunsIsEnough() throws Exception {
    List<CaptureNews> news = kept.faults(LINE);
    assertThat(kinds(news)).containsExactly(NOT_SET_UP);
    assertThat(news.get(0).text())
        .endsWith("an administrator the output of 'recorder schema --online'");

    String script = script(LINE);
    site.database.execute(script);
    site.database.execute(script);

    assertThat(kept.faults(LINE)).isEmpty();
    assertThat(script(LINE)).contains("is captured so already").doesNotContain("TRIGGER");
    site.run("INSERT INTO l_1 VALUES (2, 2)");
    assertThat(site.asked()).containsExactly("2");
  }

  @Test
  void anotherExpressionIsToldAndSetUpByAnAdministratorAlone() throws Exception {
    ownsAll();
    kept.look(LINE);
    CaptureRule other = rule("line", LOOKED_UP);

    assertThat(kinds(kept.faults(other))).containsExactly(OTHERWISE);
    site.database.execute(script(other));

    assertThat(kept.faults(other)).isEmpty();
  }

  @Test
  void newPartitionsAreArmedAsTheOthersAre() throws Exception {
    ownsAll();
    CaptureRule lookedUp = rule("line", LOOKED_UP);
    kept.look(lookedUp);
    site.run("CREATE TABLE l_2 PARTITION OF line FOR VALUES FROM (10) TO (20)");

    assertThat(kinds(kept.faults(lookedUp))).containsExactly(ARMED);
    assertThat(kept.faults(lookedUp)).isEmpty();

    site.run("INSERT INTO l_2 VALUES (11, 1), (12, 77)", "TRUNCATE l_2");
    assertThat(site.asked()).containsExactly("1", "1");
    assertThat(triggers("l_2")).isEqualTo(triggers("l_1"));
    assertThat(triggers("l_2"))
        .filteredOn(trigger -> trigger.contains(" FOR EACH STATEMENT "))
        .hasSize(4)
        .allMatch(trigger -> trigger.contains("looks up"));
  }

  @Test
  void aPartitionThatWasWrittenToIsArmedAndItsDocumentsAreSaidToBeOldPerhaps() throws Exception {
    ownsAll();
    kept.look(LINE);
    site.run(
        "CREATE TABLE l_2 PARTITION OF line FOR VALUES FROM (10) TO (20)",
        "INSERT INTO l_2 VALUES (11, 3)");

    List<CaptureNews> news = kept.faults(LINE);

    assertThat(kinds(news)).containsExactly(ARMED, PERHAPS_OLD);
    assertThat(news.get(1).text()).contains("has asked for no document", "UPDATE public.l_2 SET");
    assertThat(site.asked()).isEmpty();
    site.run("UPDATE l_2 SET id = id");
    assertThat(site.asked()).containsExactly("3");
  }

  @Test
  void aPartitionThatTheTriggersMayNotReadIsNamedWithTheGrant() throws Exception {
    site.captureEntities("line", "order_id");
    site.run(
        "CREATE TABLE l_2 PARTITION OF line FOR VALUES FROM (10) TO (20)",
        "GRANT TRIGGER ON l_2 TO " + TestDatabase.ROLE);
    List<CaptureNews> news = kept.faults();
    assertThat(kinds(news)).containsExactly(NOT_ARMED);
    String grant = "GRANT SELECT ON \"public\".\"l_2\" TO recorder_reader";
    assertThat(news.get(0).text()).contains(grant);

    site.run("ALTER TABLE l_2 ENABLE ROW LEVEL SECURITY");
    assertThat(kept.faults()).singleElement().asString().contains("row level security");

    site.run("ALTER TABLE l_2 DISABLE ROW LEVEL SECURITY", grant);
    assertThat(kinds(kept.faults())).containsExactly(ARMED);
  }

  @Test
  void anAdministratorArmsNewPartitionsWithWhatTheyNeed() throws Exception {
    site.captureEntities("line", "order_id");
    site.run("CREATE TABLE l_2 PARTITION OF line FOR VALUES FROM (10) TO (20)");

    site.database.execute(script(LINE));

    site.run("INSERT INTO l_2 VALUES (11, 1)", "TRUNCATE l_2");
    assertThat(site.asked()).containsExactly("1", "1");
  }

  @Test
  void aTruncateAsksForRowsOfAPartitionThatIsNotArmedYet() throws Exception {
    site.captureEntities("line", "order_id");
    site.run(
        "CREATE TABLE l_2 PARTITION OF line FOR VALUES FROM (10) TO (20)",
        "INSERT INTO line VALUES (1, 1), (11, 2)");
    assertThat(site.asked()).containsExactly("1", "2");

    site.run("TRUNCATE line");

    assertThat(site.asked()).containsExactly("1", "1", "2");
  }

  /** Both would set it up, and one of them would fail. */
  @Test
  void ofTwoMachinesOneLooksAtATimeAndTheOtherSaysWhatItFoundLast() throws Exception {
    List<CaptureNews> alone = kept.faults(LINE);
    assertThat(kinds(alone)).containsExactly(NOT_SET_UP);
    ownsAll();
    kept.keeping.tryAll();
    try (Connection other = site.connect();
        LookTurns turns = LookTurns.take(other, Set.of(CaptureSite.ACCOUNTS))) {
      assertThat(turns.taken()).containsExactly(CaptureSite.ACCOUNTS);
      assertThat(kept.faults(LINE)).isEqualTo(alone);
    }
    assertThat(kinds(kept.faults(LINE))).containsExactly(SET_UP);
  }

  private List<String> triggers(String table) throws SQLException {
    return site.database.query(
        "SELECT replace(pg_get_triggerdef(oid), '%1$s', 'x') FROM pg_trigger".formatted(table)
            + " WHERE tgrelid = 'public.%s'::regclass ORDER BY tgname".formatted(table),
        row -> row.getString(1));
  }
}
