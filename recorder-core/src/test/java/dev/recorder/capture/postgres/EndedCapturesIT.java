package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.capture.postgres.catalog.Capture;
import dev.recorder.capture.script.CaptureRemoval;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The end of captures of partitioned tables, one table after the other. */
class EndedCapturesIT extends WithKeptSite {
  private static final String OURS =
      "SELECT count(*) FROM pg_trigger WHERE tgname LIKE '00\\_recorder\\_%'";

  @BeforeEach
  void create() throws Exception {
    kept.mayTrigger();
    site.run(
        "CREATE TABLE measure (year int, id int, PRIMARY KEY (year, id)) PARTITION BY RANGE (year)",
        "CREATE TABLE a_leaf PARTITION OF measure FOR VALUES FROM (2000) TO (2010)",
        "CREATE TABLE z_level PARTITION OF measure FOR VALUES FROM (2010) TO (2020)"
            + " PARTITION BY LIST (id)",
        "CREATE TABLE b_leaf PARTITION OF z_level DEFAULT");
  }

  private List<CaptureRemoval.RemovalStep> steps() {
    try (Captures captures = site.captures()) {
      Capture capture = captures.list().get(0);
      return new CaptureRemoval(CaptureSite.NAMES, capture.rule(), capture.relations()).steps();
    }
  }

  private long ours() throws SQLException {
    return site.database.number(OURS);
  }

  @Test
  void theTableEndsFirstAndThenWhatIsBelowItTheHigherBeforeTheLower() throws Exception {
    site.capture("measure");

    assertThat(steps())
        .extracting(step -> step.table().name())
        .containsExactly("measure", "a_leaf", "z_level", "b_leaf");
    assertThat(steps())
        .allSatisfy(
            step ->
                assertThat(step.statements())
                    .filteredOn(sql -> sql.startsWith("DROP TRIGGER"))
                    .hasSize(4)
                    .allMatch(sql -> sql.endsWith(step.table().quoted())));
    site.remove("measure");
    assertThat(ours()).isZero();
    assertThat(site.database.number("SELECT count(*) FROM recorder.captures")).isZero();
  }

  @Test
  void brokenOffAnywhereNothingIsArmedAgainAndTheNextGoesOn() throws Exception {
    int all = 4;
    for (int done = 0; done <= all; done++) {
      site.capture("measure");
      for (CaptureRemoval.RemovalStep step : steps().subList(0, done)) {
        site.database.execute(String.join(";", step.statements()));
      }

      kept.look();

      assertThat(ours()).as("after %s tables", done).isEqualTo(4L * (all - done));
      site.remove("measure");
      assertThat(ours()).isZero();
      assertThat(site.database.number("SELECT count(*) FROM recorder.captures")).isZero();
    }
  }

  @Test
  void theScriptDoesTheSameInAsManyTransactionsAndMayBeRunAgain() throws Exception {
    site.captureEntities("measure", "id");
    String script;
    try (Captures captures = site.captures()) {
      script = captures.removal(CaptureSite.ACCOUNTS, "measure");
    }

    site.database.execute(script);
    site.database.execute(script);

    assertThat(script.split("COMMIT;")).hasSize(6);
    assertThat(ours()).isZero();
    assertThat(
            site.database.number(
                "SELECT count(*) FROM pg_proc WHERE proname ~ '^(capture|entity)_accounts_'"))
        .isZero();
    assertThat(site.database.number("SELECT count(*) FROM recorder.captures")).isZero();
  }

  @Test
  void whatIsWrittenToATableItselfIsCapturedUntilItsOwnEnd() throws Exception {
    site.capture("measure");
    site.database.execute(String.join(";", steps().get(0).statements()));

    site.run(
        "INSERT INTO measure VALUES (2000, 1)",
        "INSERT INTO a_leaf VALUES (2000, 2)",
        "DELETE FROM measure");

    assertThat(site.rows()).singleElement().asString().contains("\"id\":2");
    assertThat(kept.faults()).isNotEmpty();
  }

  @Test
  void aTransactionThatReadsOnePartitionKeepsNoOtherFromItsEnd() throws Exception {
    site.capture("measure");
    try (Connection other = site.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT * FROM a_leaf");
      try (Connection administrator = site.database.connectAsSuperuser()) {
        Arming once = new Arming(administrator, 1);
        CaptureRemoval removal = removal();

        assertThatThrownBy(() -> once.disarm(removal))
            .isInstanceOf(DatabaseException.class)
            .hasMessageContaining("public.measure is captured no longer")
            .hasMessageContaining("these partitions were in use each of 1 times")
            .hasMessageEndingWith("written to themselves: public.a_leaf; run it again later");
      }
      assertThat(ours()).isEqualTo(4);
    }
    site.remove("measure");
    assertThat(ours()).isZero();
  }

  @Test
  void aTransactionThatReadsTheTableKeepsAllAsItWas() throws Exception {
    site.capture("measure");
    try (Connection other = site.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT * FROM measure WHERE year = 2000");
      try (Connection administrator = site.database.connectAsSuperuser()) {
        Arming once = new Arming(administrator, 1);
        CaptureRemoval removal = removal();

        assertThatThrownBy(() -> once.disarm(removal))
            .hasMessageContaining("table public.measure was in use each of 1 times")
            .hasMessageContaining("it stays as it was");
      }
    }
    assertThat(ours()).isEqualTo(16);
  }

  @Test
  void ofAPartitionOfAnotherOwnerNothingEndsAndItIsSaidWhose() throws Exception {
    site.capture("measure");
    site.database.execute("ALTER TABLE b_leaf OWNER TO postgres");

    try (Captures captures = ofTheApplication()) {
      assertThatThrownBy(() -> captures.remove(CaptureSite.ORDERS, "measure"))
          .isInstanceOfSatisfying(
              DatabaseException.class,
              refused -> assertThat(refused.kind()).isEqualTo(DatabaseErrorKind.RIGHTS))
          .hasMessageContaining("does not own table public.b_leaf, but postgres does")
          .hasMessageContaining("nothing was changed")
          .hasMessageContaining("--print");
    }

    assertThat(ours()).isEqualTo(16);
  }

  @Test
  void norDoesItWhereOnlyTheFunctionIsOfAnotherRole() throws Exception {
    site.capture("measure");

    try (Captures captures = ofTheApplication()) {
      assertThatThrownBy(() -> captures.remove(CaptureSite.ORDERS, "measure"))
          .hasMessageContaining("this role does not own function recorder.capture_orders_")
          .hasMessageContaining("lacks SELECT and DELETE on table recorder.captures")
          .hasMessageContaining("lacks SELECT and DELETE on table recorder.told_columns");
    }

    assertThat(ours()).isEqualTo(16);
  }

  /** As the owner of the tables, who may read what there is. */
  private Captures ofTheApplication() throws SQLException {
    site.database.execute(
        "GRANT USAGE ON SCHEMA recorder TO " + CaptureSite.APPLICATION,
        "GRANT SELECT ON recorder.captures, recorder.snapshots TO " + CaptureSite.APPLICATION);
    return Captures.open(
        new Sessions(TestSettings.as(CaptureSite.APPLICATION, site.database), "owner"),
        TestDatabase.ROLE);
  }

  private CaptureRemoval removal() {
    try (Captures captures = site.captures()) {
      Capture capture = captures.list().get(0);
      return new CaptureRemoval(CaptureSite.NAMES, capture.rule(), capture.relations());
    }
  }
}
