package dev.recorder.leadership.postgres;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.operate.Inspection;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.TestSessions;
import dev.recorder.requests.Claim;
import dev.recorder.requests.TestRoom;
import dev.recorder.requests.postgres.ListenSession;
import dev.recorder.requests.postgres.RequestSession;
import dev.recorder.requests.postgres.RequestSite;
import dev.recorder.requests.postgres.RequestSite.Unit;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a machine ends of others that have fallen silent, and what it leaves. */
class EvictionIT {
  private static final Duration AT_ONCE = Duration.ZERO;

  /** In characters, as [machine] name allows. */
  private static final int LONGEST_NAME = 46;

  private static RequestSite site;

  private ListenSession peer;

  @BeforeAll
  static void createTables() throws Exception {
    site = new RequestSite();
  }

  @AfterAll
  static void drop() throws Exception {
    site.close();
  }

  @BeforeEach
  void open() {
    peer = ListenSession.open(TestSessions.patient(site.database, "peer"));
  }

  @AfterEach
  void forget() throws Exception {
    peer.close();
    site.clear();
    site.run("TRUNCATE recorder.info_recorders");
  }

  @Test
  void whatASilentMachineHeldIsFreeForItsPeers() throws Exception {
    long id = site.update("x");
    RequestSession silent = site.worker("silent");
    Claim.Begun begun = RequestSite.begin(silent, id);
    // Longer ago than the seconds in which only the machine that died may take it up again.
    site.run(
        "UPDATE handoff.orders SET begun_at = begun_at - interval '10 s',"
            + " created_at = created_at - interval '10 s'");
    Unit unit = new Unit(begun, silent.lock(begun, TestRoom.AMPLE).orElseThrow());
    RequestSession next = site.worker("next");
    beat("silent", "1 min");
    assertThat(next.claim(UUID.randomUUID(), 0, Set.of(), true)).isNotInstanceOf(Claim.Begun.class);

    assertThat(peer.evictSilent(AT_ONCE)).isEqualTo(1);
    awaitNoSession("silent");
    assertThatThrownBy(() -> unit.complete(silent)).isInstanceOf(DatabaseException.class);
    assertThat(site.row(id).status()).isEqualTo("new");
    RequestSite.unit(next, id).complete(next);
    assertThat(site.row(id).lostAttempts()).isEqualTo(1);
    assertThat(peer.evictSilent(AT_ONCE)).isZero();
  }

  @Test
  void allWorkersOfASilentMachineAreEnded() throws Exception {
    for (int i = 0; i < 3; i++) {
      site.worker("silent");
    }
    beat("silent", "1 min");

    assertThat(peer.evictSilent(AT_ONCE)).isEqualTo(3);
    awaitNoSession("silent");
  }

  @Test
  void aMachineThatIsHeardOfKeepsItsSessionsHoweverOldTheyAre() throws Exception {
    site.worker("living");
    beat("living", "-1 h");

    assertThat(peer.evictSilent(AT_ONCE)).isZero();
    assertThat(workers("living")).isEqualTo(1);
  }

  @Test
  void aSessionThatWasOpenedJustNowIsLeftUntilItsMachineCanHaveBeenHeardOf() throws Exception {
    site.worker("back");
    beat("back", "1 h");

    assertThat(peer.evictSilent(Duration.ofMinutes(30))).isZero();
    assertThat(workers("back")).isEqualTo(1);
  }

  @Test
  void itsOwnSessionsAreNotEndedHoweverLateItsHeartbeats() throws Exception {
    site.worker("peer");
    beat("peer", "1 h");

    assertThat(peer.evictSilent(AT_ONCE)).isZero();
    assertThat(workers("peer")).isEqualTo(1);
  }

  @Test
  void aMachineThatNeverRegisteredIsNobodys() throws Exception {
    site.worker("stranger");

    assertThat(peer.evictSilent(AT_ONCE)).isZero();
    assertThat(workers("stranger")).isEqualTo(1);
  }

  @Test
  void aSilentMachinesOtherSessionsAreNotEnded() throws Exception {
    Sessions silent = TestSessions.patient(site.database, "silent");
    beat("silent", "1 h");
    try (ListenSession listening = ListenSession.open(silent);
        Inspection inspection = Inspection.open(silent);
        Connection control = silent.openControl()) {
      assertThat(peer.evictSilent(AT_ONCE)).isZero();
      listening.probe();
      assertThat(inspection.schemaVersion()).isPresent();
      assertThat(control.isValid(10)).isTrue();
    }
  }

  @Test
  void sessionsOfTheSameNameInAnotherDatabaseOrOfAnotherRoleAreNotEnded() throws Exception {
    beat("silent", "1 h");
    Properties same = new Properties();
    same.setProperty("ApplicationName", "recorder/silent/data");
    same.setProperty("user", "other_role");
    same.setProperty("password", TestDatabase.PASSWORD);
    site.database.server().createRole("other_role", TestDatabase.PASSWORD);
    try (RequestSite elsewhere = new RequestSite();
        Connection other = DriverManager.getConnection(site.database.jdbcUrl(), same)) {
      RequestSession there = elsewhere.worker("silent");
      assertThat(there).isNotNull();
      assertThat(peer.evictSilent(AT_ONCE)).isZero();
      assertThat(other.isValid(10)).isTrue();
    }
  }

  /** Application names are cut to 63 bytes. */
  @Test
  void theLongestNameOfAMachineIsRecognised() throws Exception {
    String longest = "m".repeat(LONGEST_NAME);
    site.worker(longest);
    beat(longest, "1 h");

    assertThat(peer.evictSilent(AT_ONCE)).isEqualTo(1);
    awaitNoSession(longest);
  }

  private static void beat(String machine, String ago) throws SQLException {
    site.run(
        "INSERT INTO recorder.info_recorders (name, update_time, num_primary, num_secondary, pid,"
            + " backend_start, version, config_hash) VALUES ('%s', clock_timestamp() - interval '%s',"
                .formatted(machine, ago)
            + " 0, 0, 1, now(), 'test', '')");
  }

  private static int workers(String machine) throws SQLException {
    return Integer.parseInt(
        site.ask(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND"
                + " application_name = 'recorder/%s/data'".formatted(machine)));
  }

  /** Whoever ends a session does not wait until it is gone. */
  private static void awaitNoSession(String machine) {
    await().until(() -> workers(machine) == 0);
  }
}
