package dev.recorder.simulation.servers;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.leadership.TakeoverReason;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.LedgerContract;
import dev.recorder.slotlog.LedgerFixture;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.servers.MemoryStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** The simulator's database is worth as much as it behaves like the real one. */
class FakeLedgerTest extends LedgerContract {
  @Override
  protected LedgerFixture newFixture() {
    return new Fixture();
  }

  private static final class Fixture implements LedgerFixture {
    private static final int LOCK_ID = 1;

    private final AtomicLong nanos = new AtomicLong();
    private final FakeDatabase database = new Servers(nanos::get).current();
    private final MemoryStore store = new MemoryStore();
    private final LogLayout layout =
        new LogLayout("", "bucket", "p", new RecorderName("orders"), Compression.GZIP);
    private final Map<Integer, ProducerTransaction> transactions = new HashMap<>();

    Fixture() {
      database.createRecorder(LOCK_ID, new UUID(0, 1));
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
      FakeSession control = database.open(machine, true);
      RecorderRow held =
          database.recorder(LOCK_ID).heldBy(machine, control.id(), TakeoverReason.START, 0);
      database.write(() -> database.tables().recorders.put(LOCK_ID, held));
      return new Term(LOCK_ID, held.epoch(), machine, held.log());
    }

    @Override
    public Ledger open(Term term, Rotation rotation) {
      return new FakeLedger(
          database,
          term.machine(),
          new LedgerTerm(
              term, rotation, layout.compression(), new SlotReader(store, layout), Mutation.NONE));
    }

    @Override
    public void endDataSessions(Term term) {
      database.sessions().stream()
          .filter(session -> session.machine().equals(term.machine()) && !session.isControl())
          .forEach(FakeSession::end);
    }

    @Override
    public void begin(int transaction) {
      transactions.put(transaction, database.begin(false));
    }

    private ProducerTransaction transaction(int number) {
      return transactions.computeIfAbsent(
          number,
          unknown -> {
            throw new IllegalArgumentException("transaction " + unknown + " has not begun");
          });
    }

    @Override
    public HandoffRow insert(int number, String key, String payload) {
      ProducerTransaction transaction = transaction(number);
      database.insert(transaction, LOCK_ID, key, payload);
      return transaction.rows.get(transaction.rows.size() - 1).stored().row();
    }

    @Override
    public void commit(int transaction) {
      database.commit(transaction(transaction));
    }

    @Override
    public void abort(int transaction) {
      database.abort(transaction(transaction));
    }

    @Override
    public void prepare(int transaction) {
      database.prepare(transaction(transaction));
    }

    @Override
    public void commitPrepared(int transaction) {
      database.commit(transaction(transaction));
    }

    @Override
    public void pause(boolean paused) {
      database.pause(LOCK_ID, paused ? 1 : 0);
    }

    @Override
    public DatabaseIdentity database() {
      return database.identity();
    }

    @Override
    public void beginTimeline() {
      database.beginTimeline();
    }

    @Override
    public void restart() {
      nanos.incrementAndGet();
      database.wasStarted();
      nanos.incrementAndGet();
    }

    @Override
    public LogHead head() {
      return database.recorder(LOCK_ID).head();
    }

    @Override
    public List<PlannedSlot> planned(long slot) {
      return database.tables().slots.values().stream()
          .filter(row -> row.key().slot() == slot)
          .map(row -> new PlannedSlot(row.key().sha256(), row.window() != null, row.rows()))
          .toList();
    }

    @Override
    public void close() {
      database.sessions().forEach(FakeSession::end);
    }
  }
}
