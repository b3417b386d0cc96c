package dev.recorder.operate.rebase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.LogVerifier;
import dev.recorder.audit.postgres.StoredRows;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.operate.Inspection;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.OneLog;
import dev.recorder.schema.Schema;
import dev.recorder.schema.Setup;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotStore;
import dev.recorder.slotlog.postgres.HandoffReader;
import dev.recorder.slotlog.postgres.JdbcLedger;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.time.ByteQueue;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** One database of a log whose objects lie in a store that databases may share. */
public final class RebaseSite implements AutoCloseable {
  public static final RecorderName ORDERS = new RecorderName("orders");
  public static final LogLayout LAYOUT = new LogLayout("", "b", "p", ORDERS, Compression.NONE);

  public final TestDatabase database;
  public final MemoryStore store;

  private static final HandoffTable TABLE = new HandoffTable(ORDERS, RecorderKind.LOG, 16 << 20);

  public RebaseSite(PostgresServer server, MemoryStore store) throws Exception {
    this(TestDatabase.createOn(server, TestDatabase.ROLE), store);
  }

  public RebaseSite(TestDatabase database, MemoryStore store) {
    this.database = database;
    this.store = store;
  }

  /** One with tables without a row, which are made once for all such sites of the process. */
  public static RebaseSite prepared() throws SQLException {
    return new RebaseSite(
        TestDatabase.prepared(RebaseSite.class, RebaseSite::made), new MemoryStore());
  }

  private static TestDatabase made() throws SQLException {
    return new RebaseSite(TestDatabase.createOwned(), new MemoryStore()).createTables().database;
  }

  /** Tables without a row, made by the role that will run the recorder. */
  public RebaseSite createTables() throws SQLException {
    Schema schema = new Schema(SchemaNames.DEFAULT);
    run(schema.control());
    run(TABLE.create(SchemaNames.DEFAULT));
    return this;
  }

  /** What a machine does at its start; returns why it must not run the recorder. */
  public String setUp() {
    Setup.Row row =
        OneLog.setUp(TestSessions.patient(database, "setup"), OneLog.wanted(1, LAYOUT)).get(0);
    if (row.refusal().isEmpty()) {
      LAYOUT.identity(row.log()).claim(store);
    }
    return row.refusal();
  }

  Rebase rebase() {
    return rebase(store);
  }

  /** One that sees this store. */
  Rebase rebase(ObjectStore seen) {
    try (Inspection inspection = Inspection.open(sessions())) {
      return Rebase.open(sessions(), inspection.recorder(ORDERS).orElseThrow(), LAYOUT, seen);
    }
  }

  public Rebase.Rebased runRebase() throws Exception {
    try (Rebase rebase = rebase()) {
      return rebase.run();
    }
  }

  /** Rebases; so many slots are adopted, so many rows are recorded, so many come next. */
  void assertRebases(long adopted, long recorded, long waiting) throws Exception {
    Rebase.Rebased result = runRebase();
    assertThat(result.isNeeded()).isTrue();
    assertThat(result.adopted()).isEqualTo(adopted);
    assertThat(result.recorded()).isEqualTo(recorded);
    assertThat(result.waiting()).isEqualTo(waiting);
  }

  void assertRebaseRefused(DatabaseException.DatabaseErrorKind kind, String... why) {
    assertThatThrownBy(this::runRebase)
        .isInstanceOfSatisfying(
            DatabaseException.class, refused -> assertThat(refused.kind()).isEqualTo(kind))
        .hasMessageContainingAll(why);
  }

  public Sessions sessions() {
    return TestSessions.patient(database, "host-a");
  }

  /** A term of a machine that records all that waits, {@code rows} to a slot. */
  public void record(int rows) throws Exception {
    record(rows, Integer.MAX_VALUE);
  }

  /** The same for {@code slots} slots. */
  public void record(int rows, int slots) throws Exception {
    try (Pen pen = new Pen(rows)) {
      pen.recordAll(slots);
    }
  }

  /** Plans the next slot and makes no progress. */
  public SlotContent plan(int rows) throws Exception {
    try (Pen pen = new Pen(rows)) {
      return pen.plan();
    }
  }

  /** The PUT of a slot that was planned. */
  void put(SlotContent content) throws Exception {
    try (Pen pen = new Pen(1)) {
      pen.load();
      pen.slots.put(content, pen.chain(content));
    }
  }

  public AuditResult verify() throws Exception {
    try (Inspection inspection = Inspection.open(sessions());
        StoredRows rows = StoredRows.open(sessions(), ORDERS, 1)) {
      return new LogVerifier(store, LAYOUT, inspection.records(ORDERS, 1), rows).verify(1);
    }
  }

  public void insert(String... keys) throws SQLException {
    run(Stream.of(keys).map(RebaseSite::inserting).toArray(String[]::new));
  }

  /** SQL that inserts a row. */
  static String inserting(String key) {
    return "INSERT INTO handoff.orders (key, payload) VALUES ('" + key + "', '{}')";
  }

  public void run(String... statements) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  public List<String> ask(String sql) throws SQLException {
    List<String> answers = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        answers.add(row.getString(1));
      }
    }
    return answers;
  }

  public List<String> keys() throws SQLException {
    return ask("SELECT key FROM handoff.orders ORDER BY id");
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }

  /** A term, slot by slot and without threads. */
  private final class Pen implements AutoCloseable {
    private final DataSession session = new DataSession(sessions(), 1);
    private final JdbcLedger ledger;
    private final SlotStore slots;
    private LogHead head;

    Pen(int rows) throws SQLException {
      List<String> term =
          ask(
              "UPDATE recorder.lock_recorders SET holder = 'host-a', last_holder = 'host-a',"
                  + " epoch = epoch + 1 RETURNING epoch || ',' || log_uuid");
      String[] parts = term.get(0).split(",");
      Term mine = new Term(1, Long.parseLong(parts[0]), "host-a", UUID.fromString(parts[1]));
      this.ledger =
          new JdbcLedger(
              session,
              mine,
              ORDERS,
              new HandoffReader.SlotForm(
                  new Rotation(rows, Long.MAX_VALUE),
                  Compression.NONE,
                  MemoryBudget.ofHeap(),
                  ByteQueue.Threads.NONE),
              new SlotReader(store, LAYOUT));
      this.slots = new SlotStore(store, LAYOUT, mine);
    }

    void recordAll(int most) {
      adoptAll();
      for (int i = 0; i < most; i++) {
        Event read = read();
        if (!(read instanceof Event.Built built)) {
          return;
        }
        expect(Event.Planned.class, ledger.plan(built.content()));
        expect(Event.PutCreated.class, slots.put(built.content(), chain(built.content())));
        expect(
            Event.Settled.class,
            ledger.settle(new Effect.Settle(built.content(), chain(built.content()), null)));
        head = head.after(built.content());
      }
    }

    private LogChain chain(SlotContent content) {
      return head.chain().then(content.sha256());
    }

    SlotContent plan() {
      adoptAll();
      SlotContent content = expect(Event.Built.class, read()).content();
      expect(Event.Planned.class, ledger.plan(content));
      return content;
    }

    private Event read() {
      return ledger.read(
          new Effect.Read(head.lastSlot() + 1, head.lastSlot(), head.position(), false));
    }

    private void load() {
      head = expect(Event.Loaded.class, ledger.load()).head();
    }

    private void adoptAll() {
      load();
      while (slots.look(head.lastSlot() + 1) instanceof Event.Found found) {
        head =
            expect(Event.Adopted.class, ledger.adopt(new Effect.Adopt(head, found.object())))
                .head();
      }
    }

    private <T> T expect(Class<T> kind, Object answer) {
      if (!kind.isInstance(answer)) {
        throw new AssertionError(kind.getSimpleName() + " expected, not " + answer);
      }
      return kind.cast(answer);
    }

    @Override
    public void close() throws SQLException {
      session.close();
      run("UPDATE recorder.lock_recorders SET holder = NULL");
    }
  }
}
