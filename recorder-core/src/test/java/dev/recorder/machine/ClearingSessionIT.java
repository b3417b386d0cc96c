package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All logs of a machine are cleared on one session, and what was proved on it is lost with it. */
class ClearingSessionIT {
  private static final String SESSIONS =
      """
      SELECT string_agg(pid || ' ' || backend_start, ', ' ORDER BY pid) FROM pg_stat_activity
      WHERE application_name = 'recorder/host-a/data'
      """;

  private static final String OPEN =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE application_name = 'recorder/host-a/data' AND state ~ 'in transaction'
      """;

  private static final String WAITING =
      "SELECT count(*) FROM recorder.conditions WHERE conditions::text ~ '\"clearing\"'";

  private OrdersMachines machines;

  @BeforeEach
  void startClearing() throws Exception {
    machines = new OrdersMachines();
    machines.start(
        MachineSettings.of("host-a", TestSettings.patient(machines.database))
            .timing(TestSettings.PATIENT)
            .log(
                RecorderSettings.of(1, OrdersMachines.LAYOUT)
                    .primary(true)
                    .linger(Duration.ZERO)
                    .history(Duration.ZERO)
                    .historyBlock(1)
                    .build())
            .build(),
        machines.bucket);
    machines.awaitHolder("host-a");
    machines.insert(1, 10);
    await("a turn").until(() -> number("SELECT count(*) FROM recorder.blocks") > 1);
  }

  @AfterEach
  void stopEverything() throws Exception {
    machines.close();
  }

  @Test
  void survivesThatARightIsMissingForOneLog() throws Exception {
    String before = machines.query(SESSIONS);

    execute("REVOKE ALL ON SEQUENCE handoff.orders_id_seq FROM %s");
    await("a turn that fails").until(() -> number(WAITING) == 1);
    await("the end of it").until(() -> number(OPEN) == 0);
    execute("GRANT ALL ON SEQUENCE handoff.orders_id_seq TO %s");
    await("a turn that does not").until(() -> number(WAITING) == 0);

    assertThat(before).isNotNull();
    assertThat(machines.query(SESSIONS)).isEqualTo(before);
  }

  private void execute(String sql) throws SQLException {
    machines.database.execute(sql.formatted(TestDatabase.ROLE));
  }

  private long number(String sql) throws SQLException {
    return machines.database.number(sql);
  }
}
