package dev.recorder.leadership.postgres;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.TestSessions;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The end of a machine's control session, as its peers hear of it. */
class PeerSessionIT {
  private static final String OF_WHO_WAITS = "recorder/me/peer";
  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = '%s'".formatted(OF_WHO_WAITS)
          + " AND wait_event = 'advisory'";

  private TestDatabase database;
  private RdsManager other;
  private PeerSession session;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    other = new RdsManager(TestSessions.patient(database, "other"));
    other.connect();
    Heartbeats name = new Heartbeats(other.schemas(), "other");
    other.call(
        connection -> {
          name.takeName(connection);
          return true;
        });
    session = PeerSession.open(TestSessions.of(database, "me"));
  }

  @AfterEach
  void close() throws SQLException {
    session.close();
    other.close();
    database.close();
  }

  @Test
  void whileItLivesEachWaitEndsAndNothingIsHeldBehind() throws SQLException {
    assertThat(session.awaitEnd("other")).isFalse();
    assertThat(session.awaitEnd("other")).isFalse();
    assertThat(locks()).isZero();
  }

  @Test
  void ofItsEndIsHeardWhileItIsWaitedFor() throws Exception {
    CompletableFuture<Boolean> ended = CompletableFuture.supplyAsync(this::untilItEnds);
    await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> ended.isDone() || database.number(WAITING) > 0);
    assertThat(ended).isNotDone();
    other.disconnect("killed");
    assertThat(ended.get(1, TimeUnit.MINUTES)).isTrue();
    assertThat(locks()).isZero();
  }

  private boolean untilItEnds() {
    while (!session.awaitEnd("other")) {
      // It lives.
    }
    return true;
  }

  @Test
  void whoIsNotThereHasEnded() {
    assertThat(session.awaitEnd("nobody")).isTrue();
  }

  /** Else the server's log would fill where such waits are logged. */
  @Test
  void itWaitsForLessThanTheServerTakesForLong() throws SQLException {
    assertThat(session.longestWait()).hasMillis(800);
    try (Connection administrator = database.connectAsSuperuser();
        Statement statement = administrator.createStatement()) {
      statement.execute(
          "ALTER DATABASE %s SET deadlock_timeout = '100ms'".formatted(database.name()));
    }
    try (PeerSession impatient = PeerSession.open(TestSessions.of(database, "me"))) {
      assertThat(impatient.longestWait()).hasMillis(80);
    }
  }

  private long locks() throws SQLException {
    return database.number(
        "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory'"
            + " AND application_name = '%s'".formatted(OF_WHO_WAITS));
  }
}
