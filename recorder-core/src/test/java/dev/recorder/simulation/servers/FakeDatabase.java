package dev.recorder.simulation.servers;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.leadership.HandoverRequest;
import dev.recorder.slotlog.LossSigns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory PostgreSQL server, as far as the protocol leans on one: sessions, advisory locks,
 * tables, transactions with xids and snapshots. Each call is one statement, and atomic.
 */
public final class FakeDatabase {
  static final Duration IDLE_SESSION_TIMEOUT = Duration.ofSeconds(3);
  static final Duration IDLE_IN_TRANSACTION_TIMEOUT = Duration.ofSeconds(1);
  private static final int PIDS = 30;
  private static final long EPOCH_MICROS = 1_767_225_600_000_000L;

  private final LongSupplier nanos;
  private final Servers.Common common;
  private final Map<SessionId, FakeSession> sessions = new LinkedHashMap<>();
  private final Map<String, FakeSession> locks = new HashMap<>();
  private final LeafLocks leafLocks = new LeafLocks();
  private Tables tables = new Tables();
  private @Nullable Tables durable;
  private boolean keepsDurable;
  private boolean down;
  private long clockOffsetMicros;
  private long version;
  private long timeline;
  private long startedAt;

  FakeDatabase(LongSupplier nanos, Servers.Common common) {
    this.nanos = nanos;
    this.common = common;
    this.timeline = common.nextTimeline();
  }

  /** All are one database by its name, on timelines of their own. */
  DatabaseIdentity identity() {
    return new DatabaseIdentity("db:5432/app", 1, 1, timeline);
  }

  /** What says whether a slot's plan can have been lost here. */
  LossSigns lossSigns(int lockId, boolean planned) {
    Tables.Settled settled = tables.settled.get(lockId);
    return new LossSigns(
        identity(),
        settled == null ? identity().beforeItsFirstSlot() : settled.by(),
        List.of(),
        planned,
        settled == null || startedAt - settled.atNanos() > 0,
        false);
  }

  /** The term has settled a slot of its own. */
  void settled(int lockId) {
    tables.settled.put(lockId, new Tables.Settled(identity(), nanos.getAsLong()));
  }

  /** As after a promotion: what was settled was settled on another timeline. */
  void beginTimeline() {
    timeline = common.nextTimeline();
  }

  Servers.Common common() {
    return common;
  }

  public void createRecorder(int lockId, UUID log) {
    tables.recorders.put(lockId, RecorderRow.fresh(lockId, log));
    tables.handoff.put(lockId, new HandoffTable());
    version++;
  }

  /** A recorder is paused from now on for so long; not any more for 0. */
  public void pause(int lockId, long lastsNanos) {
    long until = nanos.getAsLong() + lastsNanos;
    write(() -> tables.pausedUntil.put(lockId, until));
  }

  boolean isPaused(int lockId) {
    Long until = tables.pausedUntil.get(lockId);
    return until != null && nanos.getAsLong() - until < 0;
  }

  /** An operator orders a recorder to be handed over, if none has and it is with another. */
  public boolean order(int lockId, String to) {
    RecorderRow row = recorder(lockId);
    boolean moves = row.holder() != null && !to.equals(row.holder());
    if (!moves || tables.orders.containsKey(lockId)) {
      return false;
    }
    write(
        () -> {
          tables.orders.put(lockId, to);
          tables.recorders.put(
              lockId, row.requested(new HandoverRequest(to, HandoverRequest.Why.OPERATOR)));
        });
    return true;
  }

  /** Takes it back, if nobody has taken it. */
  public void withdraw(int lockId, String to) {
    RecorderRow row = recorder(lockId);
    if (to.equals(tables.orders.get(lockId))) {
      write(
          () -> {
            tables.orders.remove(lockId);
            if (new HandoverRequest(to, HandoverRequest.Why.OPERATOR).equals(row.request())) {
              tables.recorders.put(lockId, row.requested(null));
            }
          });
    }
  }

  // ---- sessions and locks

  public FakeSession open(String machine, boolean control) {
    // Few pids, so that a pid alone soon names somebody else.
    long opened = common.nextSession();
    SessionId id = new SessionId(100 + (int) (opened % PIDS), opened);
    FakeSession session = new FakeSession(this, id, machine, control);
    session.lastUsedAt = nanos.getAsLong();
    sessions.put(id, session);
    return session;
  }

  /** Ends all sessions and takes no new ones. */
  void shutDown() {
    down = true;
    sessions().forEach(FakeSession::end);
  }

  public boolean isUp() {
    return !down;
  }

  void forget(FakeSession session) {
    sessions.remove(session.id());
    locks.values().removeIf(holder -> holder == session);
    leafLocks.release(session);
  }

  boolean isAlive(@Nullable SessionId id) {
    return id != null && sessions.containsKey(id);
  }

  @Nullable FakeSession session(SessionId id) {
    return sessions.get(id);
  }

  public List<FakeSession> sessions() {
    return List.copyOf(sessions.values());
  }

  boolean tryLock(String lock, FakeSession session) {
    FakeSession holder = locks.putIfAbsent(lock, session);
    return holder == null || holder == session;
  }

  void unlock(String lock, FakeSession session) {
    if (!locks.remove(lock, session)) {
      throw new IllegalStateException("lock " + lock + " is not held by " + session.id());
    }
  }

  public LeafLocks leafLocks() {
    return leafLocks;
  }

  public @Nullable FakeSession lockHolder(String lock) {
    return locks.get(lock);
  }

  public void use(FakeSession session) {
    session.lastUsedAt = nanos.getAsLong();
  }

  public void endIdleSessions() {
    long limit = nanos.getAsLong() - IDLE_SESSION_TIMEOUT.toNanos();
    sessions().stream().filter(session -> session.lastUsedAt < limit).forEach(FakeSession::end);
    long inTransaction = nanos.getAsLong() - IDLE_IN_TRANSACTION_TIMEOUT.toNanos();
    leafLocks.holders().stream()
        .filter(session -> session.lastUsedAt < inTransaction)
        .forEach(FakeSession::end);
  }

  // ---- tables

  public Tables tables() {
    return tables;
  }

  /** Rises with each change that an invariant could mind. */
  public long version() {
    return version;
  }

  public RecorderRow recorder(int lockId) {
    RecorderRow row = tables.recorders.get(lockId);
    if (row == null) {
      throw new IllegalArgumentException("no recorder " + lockId);
    }
    return row;
  }

  public HandoffTable handoff(int lockId) {
    HandoffTable table = tables.handoff.get(lockId);
    if (table == null) {
      throw new IllegalArgumentException("no recorder " + lockId);
    }
    return table;
  }

  /** A statement of a recorder that writes; it commits, durably. */
  public void write(Runnable change) {
    long xid = tables.issueXid();
    change.run();
    tables.complete(xid);
    flush();
    version++;
  }

  public long clockMicros() {
    return EPOCH_MICROS + nanos.getAsLong() / 1_000 + clockOffsetMicros;
  }

  public void jumpClock(Duration by) {
    clockOffsetMicros += by.toNanos() / 1_000;
  }

  // ---- applications

  public ProducerTransaction begin(boolean asynchronousCommit) {
    return new ProducerTransaction(this, asynchronousCommit, clockMicros());
  }

  /** Inserts a row with an id that is drawn now; for where no leaf is ever locked. */
  public boolean insert(
      ProducerTransaction transaction, int lockId, @Nullable String key, String payload) {
    long id = handoff(lockId).nextId();
    return insert(transaction, new NewRow(lockId, id, key, payload)) == Insertion.DONE;
  }

  /** Inserts a row. */
  public Insertion insert(ProducerTransaction transaction, NewRow inserted) {
    beforeUnflushedChange();
    if (transaction.tables != tables && transaction.xid == 0) {
      return Insertion.GONE;
    }
    if (transaction.xid == 0) {
      transaction.xid = tables.issueXid();
      tables.running.put(transaction.xid, transaction);
    } else if (!isRunning(transaction)) {
      return Insertion.GONE;
    }
    if (!leafLocks.mayInsert(transaction, inserted)) {
      return Insertion.WAITS;
    }
    handoff(inserted.lockId()).place(inserted.id());
    HandoffRow row =
        new HandoffRow(
            inserted.id(),
            transaction.xid,
            transaction.beganAtMicros,
            inserted.key(),
            inserted.payload());
    transaction.rows.add(new ProducerTransaction.PendingRow(inserted.lockId(), StoredRow.of(row)));
    return Insertion.DONE;
  }

  /** False if the transaction was lost with its session. */
  public boolean commit(ProducerTransaction transaction) {
    if (transaction.xid == 0) {
      return true;
    }
    if (!isRunning(transaction)) {
      return false;
    }
    beforeUnflushedChange();
    boolean inTwoPhases = tables.prepared.contains(transaction.xid);
    tables.running.remove(transaction.xid);
    tables.prepared.remove(transaction.xid);
    transaction.rows.forEach(
        row -> handoff(row.lockId()).rows.put(row.stored().place(), row.stored()));
    tables.complete(transaction.xid);
    if (!transaction.asynchronousCommit || inTwoPhases) {
      flush();
    }
    version++;
    return true;
  }

  /** The first phase of a commit in two; as durable as a commit. */
  public boolean prepare(ProducerTransaction transaction) {
    if (!isRunning(transaction)) {
      return false;
    }
    tables.prepared.add(transaction.xid);
    flush();
    return true;
  }

  public void abort(ProducerTransaction transaction) {
    if (isRunning(transaction)) {
      beforeUnflushedChange();
      tables.running.remove(transaction.xid);
      tables.complete(transaction.xid);
    }
  }

  /** A row that was committed just now is in no index, as a broken disk would have it. */
  public void missByIndex(ProducerTransaction committed) {
    ProducerTransaction.PendingRow row = committed.rows.get(0);
    handoff(row.lockId()).missedByTheIndex.add(row.stored().place());
  }

  private boolean isRunning(ProducerTransaction transaction) {
    return tables.running.get(transaction.xid) == transaction;
  }

  // ---- crash and failover

  /** From now on the server knows what a crash would leave; costs a copy per commit. */
  public void keepDurableState() {
    keepsDurable = true;
  }

  /** A server that begins with these tables, run as this one is. */
  FakeDatabase standby(Tables replica) {
    FakeDatabase standby = new FakeDatabase(nanos, common);
    standby.keepsDurable = keepsDurable;
    standby.serve(replica);
    return standby;
  }

  private void beforeUnflushedChange() {
    if (keepsDurable && durable == null) {
      durable = tables.copy();
    }
  }

  private void flush() {
    durable = null;
  }

  /** The server says that it was started now. */
  void wasStarted() {
    startedAt = nanos.getAsLong();
  }

  /** The server crashes and starts again: what was not flushed is lost. */
  public void crash() {
    wasStarted();
    serve(durable == null ? tables : durable);
  }

  /** The server is replaced by one with {@code replica}'s tables, perhaps older. */
  public void promote(Tables replica) {
    beginTimeline();
    serve(replica);
  }

  private void serve(Tables replica) {
    new ArrayList<>(sessions.values()).forEach(FakeSession::end);
    leafLocks.forgetWaiting();
    tables = replica;
    tables.abortAllRunning();
    durable = null;
    version++;
  }
}
