package dev.recorder.operate;

import dev.recorder.audit.postgres.JdbcEntityRecords;
import dev.recorder.audit.postgres.JdbcLogRecords;
import dev.recorder.audit.postgres.JdbcRequestRecords;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.lock.postgres.LockAdmin;
import dev.recorder.operate.diagnosis.Notes;
import dev.recorder.operate.orders.InspectionSession;
import dev.recorder.operate.orders.OrderQueue;
import dev.recorder.operate.orders.Pauses;
import dev.recorder.operate.orders.Switchovers;
import dev.recorder.operate.orders.Verdicts;
import dev.recorder.operate.site.FactQueries;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.ReadingIndex;
import dev.recorder.operate.site.RecordedRows;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.SlotRange;
import dev.recorder.operate.site.StatusQueries;
import dev.recorder.operate.site.Takeover;
import dev.recorder.operate.site.WorkCounts;
import dev.recorder.operate.site.WorkQueries;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.holders.LockHolder;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.postgres.QuerySession;
import dev.recorder.requests.postgres.RequestAdmin;
import dev.recorder.requests.postgres.UncapturedReads;
import dev.recorder.schema.ForeignRights;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.HandoffUse;
import dev.recorder.schema.JdbcStoreViolations;
import dev.recorder.schema.MissingRight;
import dev.recorder.schema.RecorderRow;
import dev.recorder.schema.RestrictedRoleCheck;
import dev.recorder.schema.Rights;
import dev.recorder.schema.ServerInfo;
import dev.recorder.schema.ServerQueries;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.postgres.HandoffShape;
import dev.recorder.slotlog.postgres.RowSecurity;
import dev.recorder.store.StoreLocation;
import dev.recorder.store.StoreViolations;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A session for operators' commands, apart from running hosts. It changes nothing but a log's floor
 * and operators' requests and orders, and holds no lock for which others wait. Not thread-safe. Its
 * methods throw {@link DatabaseException}.
 */
public final class Inspection implements AutoCloseable {
  private final Connection connection;
  private final Sessions sessions;
  private final SchemaNames schemas;
  private final InspectionSession session;
  private final StatusQueries queries;
  private final FactQueries facts;
  private final ServerQueries server;
  private @Nullable QuerySession documents;

  private Inspection(Connection connection, Sessions sessions) {
    this.connection = connection;
    this.sessions = sessions;
    this.schemas = sessions.schemas();
    this.session = new InspectionSession(connection, schemas);
    this.queries = new StatusQueries(schemas);
    this.facts = new FactQueries(schemas, queries);
    this.server = new ServerQueries(schemas);
  }

  /** Opens the session. */
  public static Inspection open(Sessions sessions) {
    return new Inspection(sessions.openForQueries(), sessions);
  }

  /**
   * Opens the session with a time limit, for looks that are not worth a long wait.
   *
   * @param limit for each answer; a session that exceeds it cannot be used any more
   */
  public static Inspection open(Sessions sessions, Duration limit) {
    return open(sessions, Duration.ZERO, limit);
  }

  /**
   * Opens the session with time limits.
   *
   * @param waiting longest wait for a lock; a statement that exceeds it fails, and names the lock's
   *     holder
   */
  public static Inspection open(Sessions sessions, Duration waiting, Duration limit) {
    return new Inspection(sessions.openForAnswers(waiting, limit), sessions);
  }

  /**
   * Opens the session; a statement that waits for a lock longer than {@code limit} fails, and names
   * the lock's holder.
   */
  public static Inspection openHurried(Sessions sessions, Duration limit) {
    return new Inspection(sessions.openForQueries(limit), sessions);
  }

  /**
   * Raises a log's floor to {@code floor}, but at most to its last settled slot, which the next
   * takeover reads; never lowers the floor.
   *
   * @param below the chain of the slots below the floor; null if unknown
   * @return the floor after the call
   */
  public long raiseFloor(RecorderName recorder, long floor, @Nullable LogChain below) {
    return session.ask(c -> queries.raiseFloor(c, recorder, floor, below));
  }

  /** Orders recorders to be handed over; on this session. */
  public Switchovers switchovers() {
    return new Switchovers(connection, schemas);
  }

  /** Pauses and resumes recorders; on this session. */
  public Pauses pauses() {
    return new Pauses(connection, schemas);
  }

  /** Orders to hosts; on this session. */
  public OrderQueue orders() {
    return new OrderQueue(session, schemas);
  }

  /** Verdicts on logs, and orders to verify again; on this session. */
  public Verdicts verdicts() {
    return new Verdicts(connection, schemas);
  }

  /** Lost races of a store; on this session. */
  public StoreViolations lostRaces(StoreLocation place, String machine) {
    return new JdbcStoreViolations(session::ask, schemas, machine, place);
  }

  /** Returns the kind of server and role. */
  public ServerInfo server() {
    return session.ask(server::server);
  }

  /** Returns why a recorder cannot have this hand-off table, with the remedy; empty if it can. */
  public String tableConflict(RecorderName recorder, RecorderKind kind) {
    HandoffTable table = new HandoffTable(recorder, kind, 0);
    return session.ask(connection -> table.conflict(connection, schemas));
  }

  /**
   * Returns how many sessions this role may have in this database at a time, if no other role has
   * any.
   */
  public int connectionLimit() {
    return session.ask(server::connectionLimit);
  }

  /** Returns the rights that recorders and commands need and this role lacks. */
  public List<MissingRight> missingRights(List<HandoffUse> uses) {
    return session.ask(c -> server.missingToOperate(c, uses));
  }

  /**
   * Returns the rights that locks between processes need and this role lacks, including those of
   * missing tables.
   */
  public List<MissingRight> missingLockRights() {
    return session.ask(Rights.locks(schemas)::missing);
  }

  /**
   * Returns rights of the roles as which users' code runs that these roles must not have, each with
   * its remedy.
   */
  public List<String> weakRoleFaults() {
    return session.ask(new RestrictedRoleCheck(schemas)::faults);
  }

  /**
   * Returns other roles that may act as the roles as which users' code runs, each with a remedy.
   */
  public List<String> membersOfWeakRoles() {
    return session.ask(new RestrictedRoleCheck(schemas)::members);
  }

  /**
   * Returns rights of other roles on the product's objects that they must not have, each with its
   * remedy.
   */
  public List<String> rightsOfOthers() {
    return session.ask(new ForeignRights(schemas)::faults);
  }

  /** Returns the recorder with this lockid in the database; empty if there is none. */
  public Optional<String> recorderAt(int lockId) {
    return session.ask(c -> server.recorderAt(c, lockId));
  }

  /** Returns the version of the tables in the database; empty if there are none. */
  public Optional<Integer> schemaVersion() {
    return session.ask(server::schemaVersion);
  }

  /**
   * Returns all hosts that ever registered, by name.
   *
   * @param freshWithin the greatest age of a living host's heartbeat
   */
  public List<MachineStatus> machines(Duration freshWithin) {
    return session.ask(c -> queries.machines(c, freshWithin));
  }

  /**
   * Returns all recorders, by lockid.
   *
   * @param countUpTo where the count of waiting rows stops
   */
  public List<RecorderStatus> recorders(int countUpTo) {
    return session.ask(c -> queries.recorders(c, countUpTo));
  }

  /**
   * Reads the facts from which {@link Notes} are made.
   *
   * @param freshWithin the greatest age of a living host's heartbeat
   * @param countUpTo where the count of waiting rows stops
   */
  public Facts facts(Duration freshWithin, int countUpTo) {
    return session.ask(c -> facts.facts(c, freshWithin, countUpTo));
  }

  /**
   * Counts the outstanding work of these recorders, and the taken locks.
   *
   * @param countUpTo where each count stops
   */
  public WorkCounts workCounts(List<RecorderStatus> recorders, int countUpTo) {
    return session.ask(c -> new WorkQueries(schemas).counts(c, recorders, countUpTo));
  }

  /** Returns the latest changes of active hosts, latest first. */
  public List<Takeover> takeovers(Optional<RecorderName> recorder, int limit) {
    return session.ask(c -> queries.takeovers(c, recorder, limit));
  }

  /**
   * Counts the rows of the slots in each range, that is, after {@code after} and up to {@code
   * upTo}, by lockid. Ranges without rows are left out. For a slot with two plans the larger count
   * is used.
   */
  public Map<Integer, Long> recordedRows(List<SlotRange> ranges) {
    return ranges.isEmpty() ? Map.of() : session.ask(c -> new RecordedRows(schemas).of(c, ranges));
  }

  /** Returns a recorder's row; empty if no host has ever registered the recorder. */
  public Optional<RecorderRow> recorder(RecorderName name) {
    return session.ask(c -> queries.recorder(c, name));
  }

  /** Answers whether recorders may write from this database; on this session. */
  public PinAdmin database() {
    return new PinAdmin(session, schemas);
  }

  /** Returns the session that holds the lock of {@code lockId}; empty if the lock is free. */
  public Optional<LockHolder> lockHolder(int lockId) {
    return session.ask(c -> server.lockHolder(c, lockId));
  }

  /**
   * Returns what differs in the recorder's hand-off table from its definition; empty if nothing
   * does.
   */
  public String tableFault(RecorderName recorder, RecorderKind kind) {
    return session.ask(
        c -> {
          String shape = new HandoffShape(schemas, recorder, kind).fault(c);
          return shape.isEmpty() ? new RowSecurity(schemas, recorder).fault(c) : shape;
        });
  }

  /** Returns what makes reads of a log's hand-off table ever slower; empty if nothing does. */
  public String slowReads(RecorderName recorder) {
    return session.ask(c -> new ReadingIndex(schemas, recorder).fault(c));
  }

  /** Returns the fault of the product's own tables; empty if there is none. */
  public String controlFault() {
    return session.ask(server::controlFault);
  }

  /** Takes and frees the lock of an id that no recorder has; returns whether both succeeded. */
  public boolean tryLocks() {
    return session.ask(server::tryLocks);
  }

  /** The requests of {@code recorder}; on this session. */
  public RequestAdmin requests(RecorderName recorder) {
    return new RequestAdmin(connection, schemas, recorder);
  }

  /** The locks of this database; on this session, so the caller must not close them. */
  public LockAdmin locks() {
    return LockAdmin.on(connection, schemas);
  }

  /** The records that the verifier of {@code recorder}'s log reads; on this session. */
  public JdbcLogRecords records(RecorderName recorder, int lockId) {
    return new JdbcLogRecords(connection, schemas, recorder, lockId);
  }

  /** The records that the verifier of {@code recorder}'s documents reads; on this session. */
  public JdbcRequestRecords requestRecords(RecorderName recorder) {
    return new JdbcRequestRecords(connection, schemas, recorder);
  }

  /** The records that the verifier of documents that a query builds reads; on this session. */
  public JdbcEntityRecords entityRecords(RecorderName recorder, EntityQuery query) {
    return new JdbcEntityRecords(connection, schemas, recorder, query, documents());
  }

  /** Returns the doubts about a query that the server can run; empty if there are none. */
  public String queryDoubts(RecorderName recorder, EntityQuery query) {
    return UncapturedReads.doubts(connection, recorder, query);
  }

  /** Returns the server's objection to a query that builds documents; empty if there is none. */
  public String queryFault(EntityQuery query) {
    return documents().fault(query);
  }

  /** Opens a session of its own for a user's query, which must not run on this object's session. */
  private QuerySession documents() {
    if (documents == null || !documents.isOpen()) {
      documents = QuerySession.open(sessions);
    }
    return documents;
  }

  @Override
  public void close() {
    if (documents != null) {
      documents.close();
    }
    SqlConnections.close(connection);
  }
}
