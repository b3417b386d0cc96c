package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.Failback;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.SwitchoverOrder;
import dev.recorder.postgres.TestSessions;
import dev.recorder.schema.EarlierTable;
import dev.recorder.testing.TestSettings;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A term that ends does not leave behind what may take an hour. */
class TermEndsClearingIT {
  /** As the scan of a partition of hundreds of gigabytes. */
  private static final String[] LONG_PROOF = {
    """
    CREATE FUNCTION public.long_proof() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF current_query() ~ 'VALIDATE CONSTRAINT' THEN
        PERFORM pg_sleep(3600);
      END IF;
    END $$
    """,
    "CREATE EVENT TRIGGER long_proof ON ddl_command_start EXECUTE FUNCTION public.long_proof()"
  };

  private static final String PROVING =
      "SELECT count(*) FROM pg_stat_activity WHERE query ~ 'VALIDATE CONSTRAINT'"
          + " AND wait_event = 'PgSleep' AND application_name = 'recorder/host-a/data'";

  private OrdersMachines machines;

  @BeforeEach
  void createTableOfAnEarlierVersion() throws SQLException {
    machines = new OrdersMachines();
    for (String sql : EarlierTable.create()) {
      machines.execute(sql);
    }
  }

  @AfterEach
  void stopEverything() throws Exception {
    machines.close();
  }

  @Test
  void theNextHostFinishesWhatTheFormerOneWasLongAt() throws Exception {
    machines.database.execute(LONG_PROOF);
    clearing("host-a", true);
    machines.awaitHolder("host-a");
    clearing("host-b", false);
    machines.insert(1, 10);
    await("the proof").until(() -> machines.database.number(PROVING) == 1);

    try (Inspection inspection =
        Inspection.open(TestSessions.patient(machines.database, "operator"))) {
      await("host-b to be able")
          .until(
              () ->
                  inspection.machines(Duration.ofMinutes(1)).stream()
                      .anyMatch(m -> m.name().equals("host-b") && !m.able().isEmpty()));
      long epoch = machines.database.number("SELECT epoch FROM recorder.lock_recorders");
      assertThat(
              inspection
                  .switchovers()
                  .order(
                      new SwitchoverOrder(
                          "orders", "host-a", "host-b", epoch, Duration.ofHours(1), "me")))
          .isPresent();
    }
    machines.awaitHolder("host-b");

    await("end of the proof").until(() -> machines.database.number(PROVING) == 0);
    machines.database.execute("DROP EVENT TRIGGER long_proof");
    await("leaves")
        .until(
            () ->
                machines.database.number(
                        "SELECT count(*) FROM pg_partition_tree('handoff.orders') WHERE isleaf")
                    == 8);
    assertThat(machines.query("SELECT holder FROM recorder.lock_recorders")).isEqualTo("host-b");
    machines.insert(11, 10);
    await().until(() -> machines.recorded().size() == 20);
    assertThat(machines.recorded()).isSorted().doesNotHaveDuplicates();
  }

  private void clearing(String name, boolean primary) {
    machines.start(
        MachineSettings.of(name, TestSettings.patient(machines.database))
            .timing(TestSettings.PATIENT)
            .log(
                RecorderSettings.of(1, OrdersMachines.LAYOUT)
                    .primary(primary)
                    .failback(Failback.MANUAL)
                    .linger(Duration.ZERO)
                    .history(Duration.ZERO)
                    .build())
            .build(),
        machines.bucket);
  }
}
