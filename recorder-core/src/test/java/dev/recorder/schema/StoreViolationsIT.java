package dev.recorder.schema;

import static dev.recorder.schema.OneLog.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.store.StoreGuarantee;
import dev.recorder.store.StoreLocation;
import dev.recorder.store.StoreViolations;
import dev.recorder.store.StoreViolations.Lost;
import dev.recorder.store.StoreViolations.None;
import dev.recorder.store.StoreViolations.Unknown;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lost races, as the one role of all machines may note and see them. */
class StoreViolationsIT {
  private static final StoreLocation PLACE = new StoreLocation("", "b'ucket");
  private static final String ADMINISTRATORS =
      """
      ALTER TABLE recorder.lost_races OWNER TO postgres;
      GRANT SELECT, INSERT (endpoint, bucket, promise, machine, what) ON recorder.lost_races
        TO recorder;
      """;

  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void createDatabase() throws Exception {
    database = TestDatabase.createOwned();
    OneLog.setUp(TestSessions.patient(database, "one"), wanted(1, "orders"));
    database.execute(ADMINISTRATORS);
    connection = database.connect();
  }

  @AfterEach
  void dropDatabase() throws Exception {
    connection.close();
    database.close();
  }

  @Test
  void whatOneMachineNotesEachOtherSeesUntilAnAdministratorTakesItAway() throws Exception {
    assertThat(machine("host-a", PLACE).find(StoreGuarantee.CREATION)).isInstanceOf(None.class);
    assertThat(machine("host-a", PLACE).note(StoreGuarantee.CREATION, "two won")).isEmpty();

    String found = why(machine("host-b", PLACE).find(StoreGuarantee.CREATION));
    assertThat(found)
        .startsWith("two won; host host-a saw it at 2")
        .contains(" UTC")
        .endsWith("DELETE FROM recorder.lost_races WHERE bucket = 'b''ucket'");
    assertThat(why(machine("host-b", PLACE).find(StoreGuarantee.REPLACEMENT))).isEqualTo(found);
    String remedy = found.substring(found.indexOf("DELETE FROM"));
    assertThatThrownBy(() -> run(remedy)).hasMessageContaining("permission denied");

    database.execute(remedy);
    assertThat(machine("host-b", PLACE).find(StoreGuarantee.CREATION)).isInstanceOf(None.class);
  }

  @Test
  void theFirstRaceIsToldAndAnotherStoreIsNotToBlame() {
    StoreViolations races = machine("host-a", PLACE);
    races.note(StoreGuarantee.CREATION, "first");
    races.note(StoreGuarantee.CREATION, "second");

    assertThat(why(races.find(StoreGuarantee.CREATION))).startsWith("first; ");
    for (StoreLocation other :
        new StoreLocation[] {
          new StoreLocation("", "other"), new StoreLocation("http://elsewhere", PLACE.bucket())
        }) {
      assertThat(machine("host-a", other).find(StoreGuarantee.CREATION)).isInstanceOf(None.class);
    }
  }

  @Test
  void aRaceForReplacementsSpeaksAgainstDocumentsOnly() {
    StoreViolations races = machine("host-a", PLACE);
    races.note(StoreGuarantee.REPLACEMENT, "two replaced");

    assertThat(races.find(StoreGuarantee.CREATION)).isInstanceOf(None.class);
    assertThat(why(races.find(StoreGuarantee.REPLACEMENT))).startsWith("two replaced; ");
  }

  @Test
  void aTableThatSomebodyHasLockedIsNotWaitedForNorTakenForEmpty() throws Exception {
    try (Connection other = database.connectAsSuperuser();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE recorder.lost_races");

      StoreViolations races = machine("host-a", PLACE);
      assertThat(races.find(StoreGuarantee.CREATION))
          .isInstanceOfSatisfying(
              Unknown.class, unknown -> assertThat(unknown.why()).contains("lock timeout"));
      assertThat(races.note(StoreGuarantee.CREATION, "two won")).contains("lock timeout");
    }
    assertThat(machine("host-a", PLACE).note(StoreGuarantee.CREATION, "two won")).isEmpty();
  }

  @Test
  void aTableThatMayNotBeReadIsNotTakenForEmpty() throws Exception {
    database.execute("REVOKE ALL ON recorder.lost_races FROM recorder");

    assertThat(machine("host-a", PLACE).find(StoreGuarantee.CREATION))
        .isInstanceOfSatisfying(
            Unknown.class, unknown -> assertThat(unknown.why()).contains("permission denied"));
  }

  private static String why(StoreViolations.ViolationFinding finding) {
    assertThat(finding).isInstanceOf(Lost.class);
    return ((Lost) finding).why();
  }

  private StoreViolations machine(String name, StoreLocation place) {
    return new JdbcStoreViolations(this::ask, SchemaNames.DEFAULT, name, place);
  }

  private <T> T ask(SqlFunction<Connection, T> question) {
    try {
      return question.apply(connection);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
