package dev.recorder.capture.postgres;

import static dev.recorder.capture.postgres.CaptureNews.NewsKind.LOSING;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.NOT_SET_UP;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.OTHERWISE;
import static dev.recorder.capture.postgres.CaptureNews.NewsKind.SET_UP;
import static dev.recorder.capture.postgres.KeptSite.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables that a file has captured, as a machine and an administrator deal with them. */
class TablesOfTheFileIT extends WithKeptSite {
  private static final CaptureRule ACCOUNT = rule("account");
  private static final CaptureRule WITH_OLD_ROWS =
      rule("account", new CaptureOptions(ColumnChoice.ALL, null, null, OldImage.ALL));

  @BeforeEach
  void create() throws Exception {
    site.run("CREATE TABLE account (id int PRIMARY KEY, name varchar(20))");
  }

  /** As a role has it that made the recorder's schemas itself. */
  private void ownsAll() throws SQLException {
    site.database.execute(
        "ALTER SCHEMA recorder OWNER TO " + TestDatabase.ROLE,
        "ALTER SCHEMA handoff OWNER TO " + TestDatabase.ROLE,
        "ALTER TABLE handoff.orders OWNER TO " + TestDatabase.ROLE,
        "GRANT CREATE, TEMPORARY ON DATABASE " + site.database.name() + " TO " + TestDatabase.ROLE);
    site.run("GRANT TRIGGER ON account TO " + TestDatabase.ROLE);
  }

  private String script(CaptureRule... wanted) throws Exception {
    try (Captures captures = site.captures()) {
      return captures.script(List.of(wanted));
    }
  }

  @Test
  void aMachineThatMaySetsThemUpOnceAndThenLeavesThemAlone() throws Exception {
    ownsAll();

    assertThat(kept.faults(ACCOUNT)).extracting(CaptureNews::kind).containsExactly(SET_UP);
    site.run("INSERT INTO account VALUES (1, 'Ann')");
    assertThat(site.ops()).containsExactly("insert");
    long schemaRows = schemaRows();

    assertThat(kept.faults(ACCOUNT)).isEmpty();
    assertThat(schemaRows()).isEqualTo(schemaRows);
  }

  @Test
  void aMachineThatMayNotSaysWhichRightAndWhatAnAdministratorRunsWhichIsEnough() throws Exception {
    List<CaptureNews> news = kept.faults(ACCOUNT);

    assertThat(news).hasSize(1);
    assertThat(news.get(0).kind()).isEqualTo(NOT_SET_UP);
    assertThat(news.get(0).text())
        .contains("has not the right TRIGGER on table public.account")
        .endsWith("or an administrator the output of 'recorder schema --online'");
    assertThat(kept.faults(ACCOUNT)).isEqualTo(news);

    site.database.execute(script(ACCOUNT));
    assertThat(kept.faults(ACCOUNT)).isEmpty();
    site.run("INSERT INTO account VALUES (1, 'Ann')");
    assertThat(site.ops()).containsExactly("insert");
  }

  @Test
  void aRightThatIsMissingIsTriedAgainRarelyAndAtOnceWhenTheFileIsReadAgain() throws Exception {
    site.run("GRANT TRIGGER ON account TO " + TestDatabase.ROLE);
    List<CaptureNews> news = kept.faults(ACCOUNT);
    assertThat(news).extracting(CaptureNews::kind).containsExactly(NOT_SET_UP);
    assertThat(news.get(0).text()).contains("permission denied", "'recorder schema --online'");

    ownsAll();
    assertThat(kept.faults(ACCOUNT)).isEqualTo(news);
    kept.keeping.tryAll();
    assertThat(kept.faults(ACCOUNT)).extracting(CaptureNews::kind).containsExactly(SET_UP);
  }

  @Test
  void aTableThatComesLaterIsCapturedThen() throws Exception {
    ownsAll();
    CaptureRule later = rule("later");
    assertThat(kept.faults(later))
        .extracting(CaptureNews::text)
        .containsExactly("there is no table public.later");

    site.run("CREATE TABLE later (id int PRIMARY KEY)", "GRANT TRIGGER ON later TO recorder");

    assertThat(kept.faults(later)).extracting(CaptureNews::kind).containsExactly(SET_UP);
  }

  @Test
  void aTableThatIsMadeAgainIsCapturedAgain() throws Exception {
    ownsAll();
    kept.look(ACCOUNT);
    site.run("DROP TABLE account");
    assertThat(kept.faults(ACCOUNT))
        .extracting(CaptureNews::kind)
        .containsExactly(NOT_SET_UP, LOSING);

    site.run(
        "CREATE TABLE account (id bigint PRIMARY KEY)", "GRANT TRIGGER ON account TO recorder");

    List<CaptureNews> news = kept.faults(ACCOUNT);
    assertThat(news).extracting(CaptureNews::kind).containsExactly(SET_UP, LOSING);
    assertThat(news.get(1).text()).contains("recorder capture snapshot public.account");
    site.run("INSERT INTO account VALUES (1)");
    assertThat(site.ops()).containsExactly("insert");
  }

  @Test
  void aTableThatIsRenamedIsTheSameUnderBothNames() throws Exception {
    ownsAll();
    kept.look(ACCOUNT);
    site.run("ALTER TABLE account RENAME TO customer");

    assertThat(kept.faults(ACCOUNT)).isEmpty();
    assertThat(kept.faults(rule("customer"))).isEmpty();
    assertThat(script(rule("customer"))).contains("is captured so already");
  }

  @Test
  void aTableThatIsLockedIsTriedAgain() throws Exception {
    ownsAll();
    try (Connection other = site.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("INSERT INTO account VALUES (1, 'Ann')");

      assertThat(kept.faults(ACCOUNT)).as("once is nothing").isEmpty();
      assertThat(kept.faults(ACCOUNT))
          .extracting(CaptureNews::kind, news -> news.sentence().contains("blocked by"))
          .containsExactly(tuple(NOT_SET_UP, true));
      other.commit();
    }
    assertThat(kept.faults(ACCOUNT)).extracting(CaptureNews::kind).containsExactly(SET_UP);
  }

  @Test
  void otherOptionsAreToldAndSetUpByAnAdministratorAlone() throws Exception {
    ownsAll();
    kept.look(ACCOUNT);

    assertThat(kept.faults(WITH_OLD_ROWS)).extracting(CaptureNews::kind).containsExactly(OTHERWISE);
    String script = script(WITH_OLD_ROWS);
    site.database.execute(script);
    site.database.execute(script);

    assertThat(kept.faults(WITH_OLD_ROWS)).isEmpty();
    site.run("INSERT INTO account VALUES (1, 'Ann')", "DELETE FROM account");
    assertThat(site.rows()).last().asString().contains("\"before\":{\"id\":1,\"name\":\"Ann\"}");
  }

  @Test
  void whatIsCapturedAsTheFileSaysStaysAsItIs() throws Exception {
    site.capture("account");

    assertThat(script(ACCOUNT))
        .isEqualTo(
            "\n-- Recorder orders captures public.account, as the file says, and is captured so"
                + " already.\n");
  }

  @Test
  void partitionsThatAreNotArmedAreInTheScript() throws Exception {
    site.run(
        "CREATE TABLE measure (year int PRIMARY KEY) PARTITION BY RANGE (year)",
        "CREATE TABLE m_old PARTITION OF measure FOR VALUES FROM (2000) TO (2020)");
    site.capture("measure");
    site.run("CREATE TABLE m_new PARTITION OF measure FOR VALUES FROM (2020) TO (2030)");

    String script = script(rule("measure"));

    assertThat(script).contains("\"public\".\"m_new\"").doesNotContain("m_old");
    site.database.execute(script);
    site.run("INSERT INTO m_new VALUES (2020)", "INSERT INTO m_old VALUES (2000)");
    assertThat(site.ops()).containsExactly("insert", "insert");
  }

  @Test
  void triggersThatAreDisabledOrMissingAreToldAndLeftAlone() throws Exception {
    ownsAll();
    kept.look(ACCOUNT);
    site.run(
        "ALTER TABLE account DISABLE TRIGGER \"00_recorder_orders_delete\"",
        "DROP TRIGGER \"00_recorder_orders_insert\" ON account");

    assertThat(kept.faults(ACCOUNT))
        .extracting(CaptureNews::kind, CaptureNews::text)
        .containsExactly(
            tuple(
                LOSING,
                "table public.account has 3 of 4 triggers: add the capture with --again; then"
                    + " recorder capture snapshot public.account --recorder orders"));
  }

  private long schemaRows() throws SQLException {
    return site.database.number(
        "SELECT count(*) FROM handoff.orders WHERE payload->>'op' = 'schema'");
  }
}
