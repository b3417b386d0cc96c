package dev.recorder.app.looks;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.operate.site.Limits;
import dev.recorder.postgres.TestSessions;
import dev.recorder.schema.OneLog;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is shown of a database that comes and goes. */
class SiteSamplerIT {
  private TestDatabase database;
  private SiteSampler sampler;

  @BeforeEach
  void look() {
    database = OneLog.database(OneLog.wanted(1, "orders"));
    sampler =
        SiteSampler.start(
            TestSessions.patient(database, "host-a"),
            new DatabaseSampling(
                Duration.ofSeconds(2),
                new Limits(Duration.ofMinutes(1), Duration.ofSeconds(4), 2)));
    await().until(() -> sampler.viewed().ok());
  }

  @AfterEach
  void close() throws SQLException {
    sampler.close();
    database.close();
  }

  @Test
  void theLastLookAtADatabaseThatIsGoneIsKeptWithItsAgeAndTheReason() throws SQLException {
    allowConnections(false);
    await().until(() -> !sampler.viewed().ok());
    LatestSample last = sampler.viewed();

    assertThat(last.why()).isNotEmpty();
    assertThat(last.look()).isNotNull();
    assertThat(last.look().facts().recorders()).extracting("name").containsExactly("orders");
    await("another attempt, which fails")
        .untilAsserted(() -> assertThat(sampler.viewed()).isNotSameAs(last));
    assertThat(sampler.viewed().look()).isSameAs(last.look());
    assertThat(sampler.viewed().at()).isEqualTo(last.at());

    allowConnections(true);
    await().until(() -> sampler.viewed().ok());
    assertThat(sampler.viewed().at()).isGreaterThan(last.at());
  }

  private void allowConnections(boolean allowed) throws SQLException {
    database
        .server()
        .execute(
            "ALTER DATABASE " + database.name() + " ALLOW_CONNECTIONS " + allowed,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
                + database.name()
                + "'");
  }
}
