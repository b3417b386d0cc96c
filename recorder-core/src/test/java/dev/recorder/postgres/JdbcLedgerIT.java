package dev.recorder.postgres;

import static org.awaitility.Awaitility.await;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.LedgerContract;
import dev.recorder.slotlog.LedgerFixture;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectStore;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.Term;
import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The ledger over a real PostgreSQL keeps the contract. */
class JdbcLedgerIT extends LedgerContract {
  private static final int LOCK_ID = 7;

  @Override
  protected LedgerFixture newFixture() {
    try {
      return new Fixture(TestDatabase.createOwned());
    } catch (SQLException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs what a ledger does on its session's thread, as the product does. */
  private record OnItsThread(DataSession session, Ledger ledger) implements Ledger {
    @Override
    public LedgerEvent perform(Effect effect) {
      return CompletableFuture.supplyAsync(() -> ledger.perform(effect), session).join();
    }

    @Override
    public LedgerEvent load() {
      return perform(new Effect.Load());
    }

    @Override
    public LedgerEvent read(Effect.Read read) {
      return perform(read);
    }

    @Override
    public LedgerEvent plan(SlotContent content) {
      return perform(new Effect.Plan(content));
    }

    @Override
    public LedgerEvent settle(Effect.Settle settle) {
      return perform(settle);
    }

    @Override
    public LedgerEvent adopt(Effect.Adopt adopt) {
      return perform(adopt);
    }
  }

  private static final class Fixture implements LedgerFixture {
    private final TestDatabase database;
    private final Connection superuser;
    private final MemoryStore store = new MemoryStore();
    private final LogLayout layout =
        new LogLayout("", "bucket", "p", new RecorderName("orders"), Compression.GZIP);
    private final Map<Integer, Connection> producers = new HashMap<>();
    private final List<DataSession> sessions = new ArrayList<>();

    Fixture(TestDatabase database) throws SQLException, InterruptedException {
      this.database = database;
      this.superuser = database.connectAsSuperuser();
      try (RdsManager manager = new RdsManager(TestSessions.patient(database, "setup"))) {
        manager.connect();
        PinnedLayout pinned = PinnedLayout.of(layout);
        new Setup(manager)
            .run(List.of(new Setup.Wanted(LOCK_ID, layout.recorder(), "log", pinned)));
      }
    }

    @Override
    public LogLayout layout() {
      return layout;
    }

    @Override
    public ObjectStore store() {
      return store;
    }

    @Override
    public Term beginTerm(String machine) {
      String sql =
          "UPDATE recorder.lock_recorders SET epoch = epoch + 1, holder = ?, holder_pid = 1,"
              + " holder_backend_start = now() WHERE lock_id = "
              + LOCK_ID
              + " RETURNING epoch, log_uuid";
      return ask(
          sql,
          machine,
          row -> new Term(LOCK_ID, row.getLong(1), machine, UUID.fromString(row.getString(2))));
    }

    @Override
    public Ledger open(Term term, Rotation rotation) {
      DataSession session =
          new DataSession(TestSessions.patient(database, term.machine()), sessions.size());
      sessions.add(session);
      JdbcLedger ledger =
          new JdbcLedger(
              session,
              term,
              layout.recorder(),
              new HandoffReader.Form(rotation, layout.compression()),
              new SlotReader(store, layout));
      return new OnItsThread(session, ledger);
    }

    @Override
    public void endDataSessions(Term term) {
      String application = "recorder/" + term.machine() + "/data";
      String where = " FROM pg_stat_activity WHERE application_name = ?";
      ask("SELECT count(pg_terminate_backend(pid))" + where, application, row -> row.getInt(1));
      await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> ask("SELECT count(*)" + where, application, row -> row.getInt(1)) == 0);
    }

    @Override
    public void begin(int transaction) {
      try {
        Connection producer = database.connect();
        producer.setAutoCommit(false);
        producers.put(transaction, producer);
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    private Connection producer(int transaction) {
      return producers.computeIfAbsent(
          transaction,
          unknown -> {
            throw new IllegalArgumentException("transaction " + unknown + " has not begun");
          });
    }

    @Override
    public void insert(int transaction, String key, String payload) {
      String sql = "INSERT INTO handoff.orders (key, payload) VALUES (?, ?::json)";
      try (PreparedStatement statement = producer(transaction).prepareStatement(sql)) {
        statement.setString(1, key);
        statement.setString(2, payload);
        statement.executeUpdate();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void commit(int transaction) {
      try {
        producer(transaction).commit();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void abort(int transaction) {
      try {
        producer(transaction).rollback();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public LogHead head() {
      String sql =
          "SELECT last_slot, first_slot, done_snapshot::text, open_snapshot::text, open_xid::text,"
              + " open_id FROM recorder.lock_recorders WHERE lock_id = ?::int";
      return ask(
          sql,
          String.valueOf(LOCK_ID),
          row -> {
            String open = row.getString(4);
            Snapshot done = Snapshot.parse(row.getString(3));
            Position position =
                open == null
                    ? Position.doneUpTo(done)
                    : new Position(
                        done,
                        Snapshot.parse(open),
                        Long.parseLong(row.getString(5)),
                        row.getLong(6));
            return new LogHead(row.getLong(1), row.getLong(2), position);
          });
    }

    @Override
    public List<PlannedSlot> planned(long slot) {
      List<PlannedSlot> planned = new ArrayList<>();
      String sql =
          "SELECT sha256, window_to IS NOT NULL, row_count FROM recorder.slots WHERE slot = "
              + slot;
      try (Statement statement = superuser.createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        while (row.next()) {
          planned.add(new PlannedSlot(row.getString(1), row.getBoolean(2), row.getInt(3)));
        }
        return planned;
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    /** What one row says. */
    @FunctionalInterface
    private interface Answer<T> {
      T from(ResultSet row) throws SQLException;
    }

    private <T> T ask(String sql, String parameter, Answer<T> answer) {
      try (PreparedStatement statement = superuser.prepareStatement(sql)) {
        statement.setString(1, parameter);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          return answer.from(row);
        }
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() {
      try {
        sessions.forEach(DataSession::close);
        for (Connection producer : producers.values()) {
          producer.close();
        }
        superuser.close();
        database.close();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }
  }
}
