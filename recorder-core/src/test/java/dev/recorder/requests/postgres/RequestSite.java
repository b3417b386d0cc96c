package dev.recorder.requests.postgres;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.requests.Claim;
import dev.recorder.requests.TestRoom;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.WorkUnit;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.Schema;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/**
 * A database with a table of requests, workers' sessions on it, and the view from outside. The
 * table refuses {@code in-progress}: nobody ever writes that.
 */
public final class RequestSite implements AutoCloseable {
  public static final RecorderName ORDERS = new RecorderName("orders");
  static final String TABLE = "handoff.orders";
  public static final int LOCK_ID = 1;
  public static final Duration UNIT_LIMIT = Duration.ofSeconds(60);

  private static final long MAX_PAYLOAD = 64 << 20;

  public final TestDatabase database;
  private final Connection outside;
  private final List<RequestSession> sessions = new ArrayList<>();

  public RequestSite() throws SQLException {
    this.database = TestDatabase.prepared(RequestSite.class, RequestSite::made);
    this.outside = database.connect();
  }

  private static TestDatabase made() throws SQLException {
    TestDatabase made = TestDatabase.createOwned();
    try (Connection owner = made.connect();
        Statement statement = owner.createStatement()) {
      statement.execute(new Schema(SchemaNames.DEFAULT).control());
      HandoffTable table = new HandoffTable(ORDERS, RecorderKind.REQUESTS, MAX_PAYLOAD);
      statement.execute(table.create(SchemaNames.DEFAULT));
      statement.execute("ALTER TABLE handoff.orders ADD CHECK (request_status <> 'in-progress')");
      // Producers whose tables have no such check may have written ids that are too long.
      statement.execute("ALTER TABLE handoff.orders DROP CONSTRAINT entity_id_within_1024_bytes");
    }
    return made;
  }

  /** A row as anybody sees it. */
  public record Row(
      long id,
      String status,
      @Nullable UUID process,
      @Nullable String error,
      int attempts,
      int lostAttempts,
      @Nullable String begunBy,
      boolean waits,
      boolean settledAt,
      @Nullable String fence) {
    Row withoutProcess() {
      return new Row(
          id, status, null, error, attempts, lostAttempts, begunBy, waits, settledAt, fence);
    }
  }

  /**
   * A worker's session of a machine of this name; one session per name, so that it can be ended.
   */
  public RequestSession worker(String machine) {
    RequestSession session =
        RequestSession.open(TestSessions.patient(database, machine), ORDERS, LOCK_ID, UNIT_LIMIT);
    synchronized (sessions) {
      sessions.add(session);
    }
    return session;
  }

  public long create(String entity) throws SQLException {
    return insert("create", entity, "{}");
  }

  public long update(String entity) throws SQLException {
    return insert("update", entity, "{}");
  }

  /** So many in a row. */
  public void updates(String entity, int count) throws SQLException {
    run(
        "INSERT INTO handoff.orders (request_type, entity_id, payload)"
            + " SELECT 'update', '%s', '{}' FROM generate_series(1, %d)".formatted(entity, count));
  }

  public long insert(String type, String entity, @Nullable String payload) throws SQLException {
    return insert(outside, ORDERS, type, entity, payload);
  }

  public static long insert(
      Connection producer,
      RecorderName recorder,
      String type,
      String entity,
      @Nullable String payload)
      throws SQLException {
    String sql =
        """
        INSERT INTO handoff.%s (request_type, entity_id, payload) VALUES (?, ?, ?::json)
        RETURNING id"""
            .formatted(recorder);
    try (PreparedStatement statement = producer.prepareStatement(sql)) {
      statement.setString(1, type);
      statement.setString(2, entity);
      statement.setString(3, payload);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  public Row row(long id) throws SQLException {
    return rows("WHERE id = " + id).get(0);
  }

  List<Row> rows() throws SQLException {
    return rows("");
  }

  List<Row> rows(String where) throws SQLException {
    String sql =
        "SELECT id, request_status, process_id, error_text, attempts, deaths, begun_by,"
            + " coalesce(not_before > clock_timestamp(), false), settled_at IS NOT NULL, fence"
            + " FROM handoff.orders "
            + where
            + " ORDER BY id";
    List<Row> rows = new ArrayList<>();
    try (Statement statement = outside.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        rows.add(
            new Row(
                row.getLong(1),
                row.getString(2),
                row.getObject(3, UUID.class),
                row.getString(4),
                row.getInt(5),
                row.getInt(6),
                row.getString(7),
                row.getBoolean(8),
                row.getBoolean(9),
                row.getString(10)));
      }
    }
    return rows;
  }

  public List<String> statuses() throws SQLException {
    return rows().stream().map(Row::status).toList();
  }

  public String ask(String sql) throws SQLException {
    return ask(outside, sql);
  }

  public static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  public void run(String... statements) throws SQLException {
    run(outside, statements);
  }

  public static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Somebody else's session, in a transaction that has done this and goes on. */
  Connection transaction(String... statements) throws SQLException {
    Connection other = database.connect();
    other.setAutoCommit(false);
    run(other, statements);
    return other;
  }

  /** The same with a row locked. */
  Connection locking(long id) throws SQLException {
    return transaction("SELECT FROM handoff.orders WHERE id = " + id + " FOR UPDATE");
  }

  /** What the server says of a unit's transaction. */
  String fate(Unit unit) throws SQLException {
    return ask("SELECT pg_xact_status('" + unit.work().fence() + "')");
  }

  /** The SQLSTATE with which something fails. */
  static String stateOf(ThrowingCallable sql) {
    return String.valueOf(catchThrowableOfType(SQLException.class, sql).getSQLState());
  }

  /** Entities that some worker holds. */
  int locks() throws SQLException {
    return Integer.parseInt(
        ask(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database ="
                + " (SELECT oid FROM pg_database WHERE datname = current_database())"));
  }

  /** Ends a machine's workers' sessions, and waits until they are gone. */
  public void terminate(String machine) throws SQLException {
    terminateAll("recorder/" + machine + "/data");
  }

  /** The same for all sessions whose application names are like that. */
  void terminateAll(String like) throws SQLException {
    run(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname ="
            + " current_database() AND application_name LIKE '%s'".formatted(like));
  }

  /** Forgets everything. */
  public void clear() throws SQLException {
    terminateAll("recorder/%");
    synchronized (sessions) {
      sessions.forEach(RequestSession::close);
      sessions.clear();
    }
    run("TRUNCATE handoff.orders RESTART IDENTITY");
  }

  /** The next claim, which must bring this row. */
  public static Claim.Begun begin(RequestSession worker, long id) {
    return begin(worker, id - 1, id);
  }

  public static Claim.Begun begin(RequestSession worker, long line, long id) {
    Claim claim = worker.claim(UUID.randomUUID(), line, Set.of(), true);
    if (!(claim instanceof Claim.Begun begun) || begun.id() != id) {
      throw new AssertionError("not request " + id + " but " + claim);
    }
    return begun;
  }

  /** Claims a row and locks its unit. */
  public static Unit unit(RequestSession worker, long id) {
    Claim.Begun begun = begin(worker, id);
    return unit(worker, begun);
  }

  /** Locks the unit of what is claimed. */
  static Unit unit(RequestSession worker, Claim.Begun begun) {
    return new Unit(begun, lock(worker, begun).orElseThrow());
  }

  /** With all the memory that it takes. */
  static Optional<WorkUnit> lock(RequestSession worker, Claim.Begun begun) {
    try {
      return worker.lock(begun, TestRoom.AMPLE);
    } catch (InterruptedException ending) {
      throw new AssertionError(ending);
    }
  }

  /** A unit under way. */
  public record Unit(Claim.Begun begun, WorkUnit work) {
    public void complete(RequestSession worker) {
      settle(worker, work.ids(), Map.of());
    }

    void settle(RequestSession worker, List<Long> complete, Map<Long, String> failed) {
      worker.settle(begun, work, new UnitVerdict.RequestsSettled(complete, failed));
    }

    /** Settles all of it, and claims what is next behind the line. */
    Claim completeAndClaim(RequestSession worker, UUID process, long line) {
      return worker.settleAndClaim(begun, work, process, line, Set.of());
    }

    public int postpone(RequestSession worker, Duration pause, int maxAttempts) {
      return worker.postpone(begun, work, "not now", pause, maxAttempts);
    }
  }

  @Override
  public void close() throws SQLException {
    clear();
    outside.close();
    database.close();
  }
}
