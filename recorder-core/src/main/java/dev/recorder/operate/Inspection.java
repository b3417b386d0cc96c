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
 * A session of its own for looking at recorders from outside; changes nothing but a log's floor and
 * operators' requests and orders, holds no lock that others wait for. Not thread-safe. Its methods
 * throw {@link DatabaseException}.
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
   * Opens the session for looks that are not worth waiting for.
   *
   * @param limit for each answer; then the session is of no further use
   */
  public static Inspection open(Sessions sessions, Duration limit) {
    return open(sessions, Duration.ZERO, limit);
  }

  /**
   * The same.
   *
   * @param waiting what has waited for a lock for this long fails, and names its holder
   */
  public static Inspection open(Sessions sessions, Duration waiting, Duration limit) {
    return new Inspection(sessions.openForAnswers(waiting, limit), sessions);
  }

  /** Opens the session; what has waited for a lock for this long fails, and names its holder. */
  public static Inspection openHurried(Sessions sessions, Duration limit) {
    return new Inspection(sessions.openForQueries(limit), sessions);
  }

  /**
   * Raises a log's floor to {@code floor}, at most to its last settled slot, which the next
   * takeover looks at; never lowers it.
   *
   * @param below the chain of the slots below it; null if it is not known
   * @return the floor now
   */
  public long raiseFloor(RecorderName recorder, long floor, @Nullable LogChain below) {
    return session.ask(c -> queries.raiseFloor(c, recorder, floor, below));
  }

  /** Has recorders handed over; on this session. */
  public Switchovers switchovers() {
    return new Switchovers(connection, schemas);
  }

  /** Pauses and resumes recorders; on this session. */
  public Pauses pauses() {
    return new Pauses(connection, schemas);
  }

  /** Orders to machines; on this session. */
  public OrderQueue orders() {
    return new OrderQueue(session, schemas);
  }

  /** What was found of logs, and orders to look again; on this session. */
  public Verdicts verdicts() {
    return new Verdicts(connection, schemas);
  }

  /** The races that a store has lost; on this session. */
  public StoreViolations lostRaces(StoreLocation place, String machine) {
    return new JdbcStoreViolations(session::ask, schemas, machine, place);
  }

  /** What kind of server and role this is. */
  public ServerInfo server() {
    return session.ask(server::server);
  }

  /** Why a recorder cannot have this hand-off table, and the remedy; empty if it can. */
  public String tableConflict(RecorderName recorder, RecorderKind kind) {
    HandoffTable table = new HandoffTable(recorder, kind, 0);
    return session.ask(connection -> table.conflict(connection, schemas));
  }

  /** How many sessions this role may have in this database at a time, if nobody else had one. */
  public int connectionLimit() {
    return session.ask(server::connectionLimit);
  }

  /** Rights that recorders and commands need and this role lacks. */
  public List<MissingRight> missingRights(List<HandoffUse> uses) {
    return session.ask(c -> server.missingToOperate(c, uses));
  }

  /** Rights that locks between processes need and this role lacks, as where tables are missing. */
  public List<MissingRight> missingLockRights() {
    return session.ask(Rights.locks(schemas)::missing);
  }

  /** What the roles may that code of others runs as, and must not; each with its remedy. */
  public List<String> weakRoleFaults() {
    return session.ask(new RestrictedRoleCheck(schemas)::faults);
  }

  /** Which others may act as the roles that code of others runs as; each with a remedy. */
  public List<String> membersOfWeakRoles() {
    return session.ask(new RestrictedRoleCheck(schemas)::members);
  }

  /** What others may do with what is ours, and must not; each with its remedy. */
  public List<String> rightsOfOthers() {
    return session.ask(new ForeignRights(schemas)::faults);
  }

  /** Which recorder has this lockid in the database; empty if none has. */
  public Optional<String> recorderAt(int lockId) {
    return session.ask(c -> server.recorderAt(c, lockId));
  }

  /** Version of the tables in the database; empty if there are none. */
  public Optional<Integer> schemaVersion() {
    return session.ask(server::schemaVersion);
  }

  /**
   * All machines that ever registered, by name.
   *
   * @param freshWithin how old the heartbeat of a living machine may be
   */
  public List<MachineStatus> machines(Duration freshWithin) {
    return session.ask(c -> queries.machines(c, freshWithin));
  }

  /**
   * All recorders, by lockid.
   *
   * @param countUpTo where counting waiting rows stops
   */
  public List<RecorderStatus> recorders(int countUpTo) {
    return session.ask(c -> queries.recorders(c, countUpTo));
  }

  /**
   * All that {@link Notes} are made from.
   *
   * @param freshWithin how old the heartbeat of a living machine may be
   * @param countUpTo where counting waiting rows stops
   */
  public Facts facts(Duration freshWithin, int countUpTo) {
    return session.ask(c -> facts.facts(c, freshWithin, countUpTo));
  }

  /**
   * How much there is to do of these recorders, and which locks are taken.
   *
   * @param countUpTo where each count stops
   */
  public WorkCounts workCounts(List<RecorderStatus> recorders, int countUpTo) {
    return session.ask(c -> new WorkQueries(schemas).counts(c, recorders, countUpTo));
  }

  /** The latest changes of active machines, latest first. */
  public List<Takeover> takeovers(Optional<RecorderName> recorder, int limit) {
    return session.ask(c -> queries.takeovers(c, recorder, limit));
  }

  /**
   * How many rows the slots have that follow each range's first number up to its second, by lockid;
   * nothing of those of which there are none. Of a slot with two plans the larger counts.
   */
  public Map<Integer, Long> recordedRows(List<SlotRange> ranges) {
    return ranges.isEmpty() ? Map.of() : session.ask(c -> new RecordedRows(schemas).of(c, ranges));
  }

  /** A recorder's row; empty if no machine has ever registered it. */
  public Optional<RecorderRow> recorder(RecorderName name) {
    return session.ask(c -> queries.recorder(c, name));
  }

  /** Whether recorders may write from this database; on this session. */
  public PinAdmin database() {
    return new PinAdmin(session, schemas);
  }

  /** Which session holds the lock of {@code lockId}; empty if it is free. */
  public Optional<LockHolder> lockHolder(int lockId) {
    return session.ask(c -> server.lockHolder(c, lockId));
  }

  /** What is wrong with the recorder's hand-off table; empty if it is as it was made. */
  public String tableFault(RecorderName recorder, RecorderKind kind) {
    return session.ask(
        c -> {
          String shape = new HandoffShape(schemas, recorder, kind).fault(c);
          return shape.isEmpty() ? new RowSecurity(schemas, recorder).fault(c) : shape;
        });
  }

  /** What makes reads of a log's hand-off table slower and slower; empty if nothing does. */
  public String slowReads(RecorderName recorder) {
    return session.ask(c -> new ReadingIndex(schemas, recorder).fault(c));
  }

  /** What is wrong with the tables of the product's own; empty if nothing is. */
  public String controlFault() {
    return session.ask(server::controlFault);
  }

  /** Takes the lock of an id that no recorder has, and frees it; whether both went well. */
  public boolean tryLocks() {
    return session.ask(server::tryLocks);
  }

  /** The requests of {@code recorder}; on this session. */
  public RequestAdmin requests(RecorderName recorder) {
    return new RequestAdmin(connection, schemas, recorder);
  }

  /** The locks of this database; on this session, so do not close it. */
  public LockAdmin locks() {
    return LockAdmin.on(connection, schemas);
  }

  /** What the verifier of {@code recorder}'s log asks; on this session. */
  public JdbcLogRecords records(RecorderName recorder, int lockId) {
    return new JdbcLogRecords(connection, schemas, recorder, lockId);
  }

  /** What the verifier of {@code recorder}'s documents asks; on this session. */
  public JdbcRequestRecords requestRecords(RecorderName recorder) {
    return new JdbcRequestRecords(connection, schemas, recorder);
  }

  /** The same for documents that a query builds. */
  public JdbcEntityRecords entityRecords(RecorderName recorder, EntityQuery query) {
    return new JdbcEntityRecords(connection, schemas, recorder, query, documents());
  }

  /** What is doubtful about a query that it can run; empty if nothing is. */
  public String queryDoubts(RecorderName recorder, EntityQuery query) {
    return UncapturedReads.doubts(connection, recorder, query);
  }

  /** What the server has against a query that builds documents; empty if it has nothing. */
  public String queryFault(EntityQuery query) {
    return documents().fault(query);
  }

  /** Nothing of what a query reaches runs on the session of this. */
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
