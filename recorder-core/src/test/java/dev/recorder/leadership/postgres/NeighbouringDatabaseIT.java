package dev.recorder.leadership.postgres;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.ControlSession;
import dev.recorder.leadership.TakeoverReason;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.OneLog;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One server has several databases, and a host is called the same in each: what is ended in one of
 * them is never a session in another.
 */
class NeighbouringDatabaseIT {
  private static final int ORDERS = 1;
  private static final Set<Integer> NONE = Set.of();

  private TestDatabase database;
  private TestDatabase neighbour;
  private RdsManager managerOfA;
  private RdsManager managerOfB;
  private ControlSession b;
  private Connection here;
  private Connection there;

  @BeforeEach
  void aIsActiveAndHasDataSessionsInBoth() throws Exception {
    database = TestDatabase.createOwned();
    neighbour = TestDatabase.createOwned();
    OneLog.setUp(TestSessions.patient(database, "setup"), OneLog.wanted(ORDERS, "orders"));
    managerOfA = new RdsManager(TestSessions.patient(database, "a"));
    managerOfB = new RdsManager(TestSessions.patient(database, "b"));
    ControlSession a = connected(managerOfA);
    b = connected(managerOfB);
    assertThat(a.perform(new ControlAction.Take(ORDERS, null, 0, TakeoverReason.START, "why")))
        .isInstanceOf(ControlAnswer.Taken.class);
    here = TestSessions.patient(database, "a").openData();
    there = TestSessions.patient(neighbour, "a").openData();
  }

  @AfterEach
  void close() throws Exception {
    managerOfA.close();
    managerOfB.close();
    here.close();
    there.close();
    neighbour.close();
    database.close();
  }

  @Test
  void aSilentHostKeepsItsSessionsElsewhere() throws Exception {
    ControlAnswer.Seen seen = (ControlAnswer.Seen) b.perform(new ControlAction.Watch());
    long beat = seen.view().machines().get("a").beat();

    b.perform(new ControlAction.Evict("a", beat, ORDERS));

    awaitEnd(here);
    assertThat(there.isValid(60)).isTrue();
  }

  @Test
  void soDoesOneThatDiedAndLeftTheRowLocked() throws Exception {
    here.setAutoCommit(false);
    try (Statement lock = here.createStatement()) {
      lock.execute("SELECT FROM recorder.lock_recorders FOR UPDATE");
    }
    managerOfA.close();

    await()
        .until(
            () -> b.perform(new ControlAction.Take(ORDERS, "a", 1, TakeoverReason.DIED, "why")),
            ControlAnswer.Taken.class::isInstance);

    awaitEnd(here);
    assertThat(there.isValid(60)).isTrue();
  }

  @Test
  void soDoesOneThatEndsItsOwnForWhatTheyHaveLocked() throws Exception {
    TermStatements terms = new TermStatements(SchemaNames.DEFAULT, "a");

    assertThat(managerOfA.call(terms::endOwnDataSessions)).isEqualTo(1);

    awaitEnd(here);
    assertThat(there.isValid(60)).isTrue();
  }

  /** Within one database a machine's sessions are told by its name, whatever the schema is. */
  @Test
  void aNamesakeWithAnotherSchemaOfThisDatabaseIsTurnedAwayAndAnotherNameIsNot() {
    OneLog.setUp(elsewhere("setup"), OneLog.wanted(ORDERS, "orders"));
    try (RdsManager namesake = new RdsManager(elsewhere("a"));
        RdsManager other = new RdsManager(elsewhere("c"))) {
      assertThat(session(namesake).perform(new ControlAction.Connect(NONE)))
          .isInstanceOfSatisfying(
              ControlAnswer.NameInUse.class,
              taken ->
                  assertThat(taken.why())
                      .contains("another process runs under the name 'a' (from 127.0.0.1")
                      .contains(", with another [postgredb] schema); give each host"));
      connected(other);
    }
    assertThat(b.perform(new ControlAction.Watch())).isInstanceOf(ControlAnswer.Seen.class);
  }

  /** In the same database with schemas of its own. */
  private Sessions elsewhere(String machine) {
    DatabaseSettings here = TestSettings.patient(database);
    return new Sessions(
        DatabaseSettings.of(here.host(), here.database(), here.user())
            .port(here.port())
            .password(here.password())
            .schemas(new SchemaNames("elsewhere", "handed_over"))
            .networkTimeout(here.networkTimeout())
            .idleLimit(here.idleLimit())
            .build(),
        machine);
  }

  private static ControlSession connected(RdsManager manager) {
    ControlSession session = session(manager);
    assertThat(session.perform(new ControlAction.Connect(Set.of(ORDERS))))
        .isInstanceOf(ControlAnswer.Connected.class);
    return session;
  }

  private static ControlSession session(RdsManager manager) {
    return new JdbcControlSession(
        manager, new Registration(Set.of(ORDERS), NONE, "test", "hash", Map.of("timing", "0")));
  }

  private static void awaitEnd(Connection ended) {
    await().until(() -> !isValid(ended));
  }

  private static boolean isValid(Connection connection) throws SQLException {
    return connection.isValid(60);
  }
}
