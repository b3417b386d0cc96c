package dev.recorder.slotlog.postgres;

import static dev.recorder.testing.Patience.await;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.pin.DatabasePin;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.schema.OneLog;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.LedgerFixture;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.time.ByteQueue;
import dev.recorder.time.NamedThreadFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;

/** A recorder on a real database, its producers one connection each. */
final class JdbcLedgerFixture implements LedgerFixture {
  private static final ByteQueue.Threads PACKING =
      ByteQueue.Threads.of(Executors.newCachedThreadPool(new NamedThreadFactory("packing")));

  private static final RecorderName ORDERS = new RecorderName("orders");
  private static final LogLayout LAYOUT = new LogLayout("", "b", "p", ORDERS, Compression.GZIP);

  private final TestDatabase database;
  private final MemoryStore store = new MemoryStore();
  private final List<DataSession> sessions = new ArrayList<>();
  private final Map<Integer, Connection> transactions = new HashMap<>();
  private Term latest = new Term(1, 0, "nobody", new UUID(0, 0));

  JdbcLedgerFixture() {
    database = OneLog.database(OneLog.wanted(1, LAYOUT));
  }

  @Override
  public LogLayout layout() {
    return LAYOUT;
  }

  @Override
  public ObjectStore store() {
    return store;
  }

  @Override
  public Term beginTerm(String machine) {
    String sql =
        "UPDATE recorder.lock_recorders SET holder = ?, epoch = epoch + 1 RETURNING epoch,"
            + " log_uuid";
    return asked(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, machine);
            try (ResultSet row = statement.executeQuery()) {
              row.next();
              latest = new Term(1, row.getLong(1), machine, UUID.fromString(row.getString(2)));
              return latest;
            }
          }
        });
  }

  /** Nobody holds the recorder any more; the term as its row names it then. */
  Term endTerm() {
    return asked(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute("UPDATE recorder.lock_recorders SET holder = NULL");
          }
          return new Term(1, latest.epoch(), "", latest.log());
        });
  }

  @Override
  public Ledger open(Term term, Rotation rotation) {
    return open(term, rotation, MemoryBudget.ofHeap());
  }

  Ledger open(Term term, Rotation rotation, MemoryBudget budget) {
    DataSession session =
        new DataSession(TestSessions.patient(database, term.machine()), sessions.size() + 1);
    sessions.add(session);
    return new JdbcLedger(
        session,
        term,
        ORDERS,
        new HandoffReader.SlotForm(rotation, Compression.GZIP, budget, PACKING),
        new SlotReader(store, LAYOUT));
  }

  /** As a superuser. */
  void execute(String sql) {
    asked(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
          }
        });
  }

  /** In one of the transactions, which goes on. */
  void execute(int transaction, String sql) {
    try (Statement statement = transactions.get(transaction).createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until somebody waits for a lock in this database. */
  void awaitBlocked() {
    String blocked =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname ="
            + " current_database()";
    await().ignoreExceptions().until(() -> database.number(blocked) == 1);
  }

  @Override
  public void endDataSessions(Term term) {
    String name = "'recorder/" + term.machine() + "/data'";
    asked(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            // With a time limit the call returns when the session is gone.
            return statement.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                    + " WHERE application_name = "
                    + name);
          }
        });
  }

  @Override
  public void begin(int transaction) {
    try {
      Connection connection = database.connect();
      connection.setAutoCommit(false);
      transactions.put(transaction, connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public HandoffRow insert(int transaction, String key, String payload) {
    String sql =
        "INSERT INTO handoff.orders AS h (key, payload) VALUES (?, ?::json) RETURNING "
            + RowIdentity.COLUMNS;
    try (PreparedStatement statement = transactions.get(transaction).prepareStatement(sql)) {
      statement.setString(1, key);
      statement.setString(2, payload);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return RowIdentity.row(row);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void commit(int transaction) {
    try (Connection connection = transactions.remove(transaction)) {
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void abort(int transaction) {
    try (Connection connection = transactions.remove(transaction)) {
      connection.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void prepare(int transaction) {
    try (Connection connection = transactions.remove(transaction);
        Statement statement = connection.createStatement()) {
      statement.execute("PREPARE TRANSACTION " + gid(transaction));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void commitPrepared(int transaction) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("COMMIT PREPARED " + gid(transaction));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Unique on the whole server. */
  private String gid(int transaction) {
    return "'" + database.name() + "/" + transaction + "'";
  }

  @Override
  public void pause(boolean paused) {
    String until = paused ? "now() + interval '1 hour'" : "now()";
    execute("UPDATE recorder.lock_recorders SET paused_until = " + until);
  }

  @Override
  public DatabaseIdentity database() {
    try (Connection connection = TestSessions.patient(database, "a").openData()) {
      return new DatabasePin(SchemaNames.DEFAULT).look(connection, 1).here();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The other way round: what was settled was settled on another one. */
  @Override
  public void beginTimeline() {
    execute(
        "UPDATE recorder.lock_recorders SET database = regexp_replace(database, '/[0-9]+ ', '/77"
            + " ')");
  }

  /** The other way round: all was settled before it was started. */
  @Override
  public void restart() {
    execute(
        "UPDATE recorder.lock_recorders SET settled_at = started, own_settled_at = started"
            + " FROM (SELECT pg_postmaster_start_time() - interval '1 s') AS s (started)");
  }

  @Override
  public LogHead head() {
    return asked(
        connection ->
            new SlotStatements(SchemaNames.DEFAULT, latest).head(connection).orElseThrow());
  }

  @Override
  public List<PlannedSlot> planned(long slot) {
    String sql =
        "SELECT sha256, window_to IS NOT NULL, row_count FROM recorder.slots WHERE slot = ?";
    return asked(
        connection -> {
          List<PlannedSlot> planned = new ArrayList<>();
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, slot);
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                planned.add(new PlannedSlot(row.getString(1), row.getBoolean(2), row.getInt(3)));
              }
            }
          }
          return planned;
        });
  }

  @Override
  public void close() {
    sessions.forEach(DataSession::close);
    try {
      for (Connection open : transactions.values()) {
        open.close();
      }
      database.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private <T> T asked(SqlFunction<Connection, T> question) {
    try (Connection connection = database.connectAsSuperuser()) {
      return question.apply(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
