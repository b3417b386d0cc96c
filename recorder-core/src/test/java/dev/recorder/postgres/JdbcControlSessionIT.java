package dev.recorder.postgres;

import static org.awaitility.Awaitility.await;

import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.ControlSession;
import dev.recorder.leadership.ControlSessionContract;
import dev.recorder.leadership.ControlSessionFixture;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Control sessions with a real PostgreSQL keep the contract. */
class JdbcControlSessionIT extends ControlSessionContract {
  @Override
  protected ControlSessionFixture newFixture() {
    try {
      return new Fixture(TestDatabase.createOwned());
    } catch (SQLException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static final class Fixture implements ControlSessionFixture {
    private final TestDatabase database;
    private final Connection superuser;
    private final List<AutoCloseable> opened = new ArrayList<>();

    Fixture(TestDatabase database) throws SQLException, InterruptedException {
      this.database = database;
      this.superuser = database.connectAsSuperuser();
      try (RdsManager manager = new RdsManager(TestSessions.patient(database, "setup"))) {
        manager.connect();
        new Setup(manager).run(List.of(wanted(ORDERS, "orders"), wanted(INVOICES, "invoices")));
      }
    }

    private static Setup.Wanted wanted(int lockId, String name) {
      RecorderName recorder = new RecorderName(name);
      LogLayout layout = new LogLayout("", "bucket", "", recorder, Compression.GZIP);
      return new Setup.Wanted(lockId, recorder, "log", PinnedLayout.of(layout));
    }

    @Override
    public ControlSession process(String machine, Set<Integer> primaryFor) {
      RdsManager manager = new RdsManager(TestSessions.patient(database, machine));
      JdbcControlSession session =
          new JdbcControlSession(
              manager,
              Set.of(ORDERS, INVOICES),
              new Registration(primaryFor, 2 - primaryFor.size(), "test", "hash"));
      opened.add(session);
      opened.add(manager);
      return session;
    }

    @Override
    public void endSession(String machine) {
      String application = "recorder/" + machine + "/control";
      ask("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity", application);
      await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> ask("SELECT count(*) FROM pg_stat_activity", application) == 0);
    }

    private long ask(String question, String application) {
      String sql = question + " WHERE application_name = ? AND datname = current_database()";
      try (PreparedStatement statement = superuser.prepareStatement(sql)) {
        statement.setString(1, application);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          return row.getLong(1);
        }
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() {
      try {
        for (AutoCloseable resource : opened) {
          resource.close();
        }
        superuser.close();
        database.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }
}
