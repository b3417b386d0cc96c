package dev.recorder.machine.shared;

import dev.recorder.logging.LogContext;
import dev.recorder.machine.poll.RowPoller;
import dev.recorder.machine.schedule.Chore;
import dev.recorder.machine.schedule.Chore.ChoreWork;
import dev.recorder.machine.schedule.Schedule;
import dev.recorder.machine.schedule.ScheduledChore;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.Sessions;
import dev.recorder.s3.StoreProbes;
import dev.recorder.slotlog.postgres.HandoffReader.SlotForm;
import dev.recorder.time.ByteQueue;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Ticker;
import dev.recorder.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads and data sessions that all recorders of a host share. All pools are bounded: at most
 * {@value #MOST_DATA_SESSIONS} data sessions, as many threads that pack rows, and {@value
 * #MOST_STORE_THREADS} S3 calls at a time. Queues are bounded by the recorders: each has at most
 * one effect per lane, and two on the store's lane during recovery. One budget bounds the bytes
 * that all of them read and send. A failure that is not handled on one of the threads ends the
 * host.
 */
public final class SharedResources implements AutoCloseable {
  private static final int MOST_DATA_SESSIONS = 4;
  private static final int MOST_STORE_THREADS = 64;

  /** Looks that wait for the control session, an order that waits for a test, and a set-up. */
  private static final int MOST_CHORES = 3;

  static final int ROUNDS_OF_WARM_UP = 40;

  /** System property with the number of warm-up rounds, for short-lived processes. */
  static final String ROUNDS_PROPERTY = "recorder.warm-up.rounds";

  private final Sessions sessions;
  private final MachineMetrics metrics;
  private final List<DataSession> dataSessions = new ArrayList<>();
  private final DataSession clearing;
  private final DataSession capturing;
  private final CaptureWatch captures;
  private final RowPoller poller;
  private final PeerWatch peers;
  private final StoreProbes probes = new StoreProbes();
  private final MemoryBudget memory = MemoryBudget.ofHeap();
  private final ConditionBoard conditions = new ConditionBoard(Ticker.system());
  private final PausedRecorders pauses = new PausedRecorders();
  private final ThreadPoolExecutor store;
  private final ThreadPoolExecutor packing;
  private final ThreadPoolExecutor verifying;
  private final ThreadPoolExecutor tabling;
  private final ThreadPoolExecutor chores;
  private final Timer timer;
  private final Schedule schedule;
  private volatile int recorders;
  private final AtomicInteger roundsOfWarmUp =
      new AtomicInteger(Integer.getInteger(ROUNDS_PROPERTY, ROUNDS_OF_WARM_UP));

  public SharedResources(Sessions sessions, FatalErrorHandler fatal, MachineMetrics metrics) {
    this.sessions = sessions;
    this.metrics = metrics;
    for (int i = 0; i < MOST_DATA_SESSIONS; i++) {
      dataSessions.add(new DataSession(sessions, i + 1, fatal)); // Opened on first use.
    }
    clearing = new DataSession(sessions, MOST_DATA_SESSIONS + 1, fatal);
    capturing = new DataSession(sessions, MOST_DATA_SESSIONS + 2, fatal);
    poller = new RowPoller(sessions, fatal);
    peers = new PeerWatch(sessions, fatal);
    store = pool(MOST_STORE_THREADS, new NamedThreadFactory("store", fatal));
    packing = pool(MOST_DATA_SESSIONS, new NamedThreadFactory("packing", fatal));
    verifying = pool(1, new NamedThreadFactory("verify", fatal));
    tabling = pool(1, new NamedThreadFactory("table", fatal));
    chores = pool(MOST_CHORES, new NamedThreadFactory("chore", fatal));
    timer = new Timer("timer", fatal);
    schedule =
        new Schedule(
            (nanos, woken) -> timer.schedule(woken, nanos, TimeUnit.NANOSECONDS), Ticker.system());
    captures = new CaptureWatch(sessions.machine(), capturing, schedule, conditions);
  }

  /** A pool of at most this many threads, which end when they are idle. */
  private static ThreadPoolExecutor pool(int threads, NamedThreadFactory names) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), names);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Adapts the number of threads to this many recorders. */
  public void resize(int recorders) {
    this.recorders = recorders;
    store.setCorePoolSize(Math.min(MOST_STORE_THREADS, 2 * recorders + 1));
  }

  /** The number of recorders. */
  public int recorders() {
    return recorders;
  }

  /** Opens sessions for a short use of one's own. */
  public Sessions sessions() {
    return sessions;
  }

  /** The metrics of this host. */
  public MachineMetrics metrics() {
    return metrics;
  }

  /** The data session of the recorder with this lockid; always the same one. */
  public DataSession session(int lockId) {
    return dataSessions.get(lockId % dataSessions.size());
  }

  /** The session on which tables are cleared, one after the other. */
  public DataSession clearing() {
    return clearing;
  }

  /** The thread that verifies logs, one after the other. */
  public Executor verifying() {
    return verifying;
  }

  /** The thread that writes tables of logs, one after the other. */
  public Executor tabling() {
    return tabling;
  }

  /** The session for short looks that must not delay recording. */
  public DataSession capturing() {
    return capturing;
  }

  /** Checks that the wanted tables are captured. */
  public CaptureWatch captures() {
    return captures;
  }

  /** Tells writers when rows may have come. */
  public RowPoller poller() {
    return poller;
  }

  /** Notices the end of a peer's session. */
  public PeerWatch peers() {
    return peers;
  }

  public StoreProbes probes() {
    return probes;
  }

  /** The conditions that operators read. */
  public ConditionBoard conditions() {
    return conditions;
  }

  /** The paused recorders. */
  public PausedRecorders pauses() {
    return pauses;
  }

  /** The memory that the slots and requests of all recorders share. */
  public MemoryBudget memory() {
    return memory;
  }

  public Executor store() {
    return store;
  }

  /** The number of warm-up rounds that are left in this process. */
  public AtomicInteger roundsOfWarmUp() {
    return roundsOfWarmUp;
  }

  /** Returns how a recorder's slots are cut and packed on this host. */
  public SlotForm form(RecorderSettings recorder) {
    return new SlotForm(recorder.rotation(), recorder.layout().compression(), memory, relays());
  }

  /**
   * Threads that hash and compress rows; none with a single processor, where the reader's own
   * thread does it.
   */
  private ByteQueue.Threads relays() {
    return Runtime.getRuntime().availableProcessors() == 1
        ? ByteQueue.Threads.NONE
        : ByteQueue.Threads.of(packing);
  }

  /** Hands work to the lanes. */
  public Schedule schedule() {
    return schedule;
  }

  /** Threads for chores that may wait for the control session. */
  public Executor chores() {
    return chores;
  }

  /** Begins a chore of the host. */
  public ScheduledChore begin(String name, Duration every, ChoreWork work) {
    return begin(name, every, chores, work);
  }

  /** Begins a chore of the host on this lane. */
  public ScheduledChore begin(String name, Duration every, Executor lane, ChoreWork work) {
    String machine = sessions.machine();
    return schedule.begin(new Chore(name, every, lane, () -> LogContext.of(machine), work));
  }

  public ScheduledExecutorService timer() {
    return timer;
  }

  /** Frees callers that wait for an answer that cannot come, after the control session was lost. */
  public void abortSessions() {
    dataSessions.forEach(DataSession::abort);
    clearing.abort();
    capturing.abort();
    poller.abort();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    store.shutdownNow();
    chores.shutdownNow();
    verifying.shutdownNow();
    tabling.shutdownNow();
    poller.close();
    peers.close();
    dataSessions.forEach(DataSession::close);
    clearing.close();
    capturing.close();
    packing.shutdown(); // It still finishes its queue, since readers wait for that.
  }
}
