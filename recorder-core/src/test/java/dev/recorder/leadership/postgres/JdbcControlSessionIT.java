package dev.recorder.leadership.postgres;

import dev.recorder.leadership.ControlSession;
import dev.recorder.leadership.ControlSessionContract;
import dev.recorder.leadership.ControlSessionFixture;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.TestSessions;
import dev.recorder.schema.OneLog;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** The control session's contract on a real server. */
@Tag("smoke")
class JdbcControlSessionIT extends ControlSessionContract {
  @Override
  protected ControlSessionFixture newFixture() {
    return new Fixture();
  }

  private static final class Fixture implements ControlSessionFixture {
    private final TestDatabase database;
    private final Map<String, JdbcControlSession> latest = new HashMap<>();
    private final List<RdsManager> managers = new ArrayList<>();

    Fixture() {
      database =
          OneLog.database(OneLog.wanted(ORDERS, "orders"), OneLog.wanted(INVOICES, "invoices"));
    }

    @Override
    public ControlSession process(String machine, Set<Integer> primaryFor) {
      RdsManager manager = new RdsManager(TestSessions.patient(database, machine));
      managers.add(manager);
      JdbcControlSession process = new JdbcControlSession(manager, registration(primaryFor));
      latest.put(machine, process);
      return process;
    }

    @Override
    public void prefer(String machine, Set<Integer> primaryFor) {
      latest.get(machine).become(registration(primaryFor));
    }

    private static Registration registration(Set<Integer> primaryFor) {
      return new Registration(
          Set.of(ORDERS, INVOICES), primaryFor, "test", "hash", Map.of("timing", "0"));
    }

    @Override
    public void order(String to, boolean withdrawn) {
      try {
        database.execute(
            "UPDATE recorder.lock_recorders SET switch_to = '%s', switch_why = 'operator' WHERE lock_id = %d"
                .formatted(to, ORDERS),
            """
            INSERT INTO recorder.operator_orders
              (kind, lock_id, recorder, argument, take_within_ms, os_user, state)
            VALUES ('switchover', %d, 'orders', '%s', 3600000, 'me', '%s')
            """
                .formatted(ORDERS, to, withdrawn ? "withdrawn" : "new"));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void pass(Duration time) {
      String earlier = " - interval '" + time.toMillis() + " ms'";
      try {
        database.execute(
            "UPDATE recorder.info_recorders SET update_time = update_time" + earlier,
            "UPDATE recorder.incumbents SET last_beat = last_beat" + earlier,
            "UPDATE recorder.lock_recorders SET begun_at = begun_at"
                + earlier
                + ", released_at = released_at"
                + earlier
                + ", settled_at = settled_at"
                + earlier);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void endSession(String machine) {
      try {
        // With a time limit the call returns when the session is gone.
        database.execute(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
                + " WHERE application_name = 'recorder/"
                + machine
                + "/control'");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      managers.forEach(RdsManager::close);
      try {
        database.close();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
