package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Alarm;
import dev.recorder.app.harness.Applications;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Takeover;
import dev.recorder.app.harness.proof.Books;
import dev.recorder.app.harness.proof.Producer;
import dev.recorder.app.harness.proof.SettleJournal;
import dev.recorder.testing.network.HttpTap;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What stories about logs share: two servers, applications that insert throughout, and the end, at
 * which every row must have been recorded once.
 */
public final class Story extends ClusterStory {
  public static final String SESSION_LOST = "control session lost, and all locks with it:";
  public static final String NO_DATABASE = "the database does not answer properly, retrying:";

  /** A term and the machine each meet it, first without a session and then without an answer. */
  private static final int REASONS = 4;

  static final String LINGER = "300ms";
  private static final Recording ORDERS = new Recording(List.of(Cluster.RECORDER), LINGER);
  private static final Duration START_WITHIN = Duration.ofMinutes(5);

  /** One that is being put, and the next, which is planned when that one is settled. */
  private static final int MOST_PLANNED = 2;

  private static final int MOST_ALARMS = 10;

  private final boolean ownDatabase;
  private final Supplier<S3Server> store;
  private final Recording recording;
  private final Wiring wiring;
  private final Books books = new Books();
  private final Map<Host, Integer> alarmsAtStart = new HashMap<>();
  private PostgresServer postgres;
  private Observer observer;
  private SettleJournal journal;
  private @Nullable Applications applications;

  /** Started when first used. */
  private static final class Safe {
    static final S3Server SERVER = S3Server.start();
  }

  /** Checks no signatures, so that the tap can break its promises. */
  private static final class Breakable {
    static final S3Server SERVER = S3Server.startTrusting();
  }

  /** On the database server that all tests share. */
  public Story() {
    this(false, () -> Safe.SERVER, ORDERS);
  }

  /** On a database server of its own, which may be killed; applications outlast that. */
  public static Story withOwnDatabase() {
    return new Story(true, () -> Safe.SERVER, ORDERS);
  }

  /** On a store of which the tap can take the condition of a PUT away. */
  public static Story withBreakableStore() {
    return new Story(false, () -> Breakable.SERVER, ORDERS);
  }

  /** On hosts with other sections in their files. */
  static Story withSections(String sections) {
    return new Story(false, () -> Safe.SERVER, new Recording(List.of(), LINGER, sections));
  }

  /** On hosts with more lines in the log's section. */
  static Story withKeys(String... lines) {
    return new Story(false, () -> Safe.SERVER, ORDERS.with(Cluster.RECORDER, lines));
  }

  /** On hosts that pack their objects so. */
  static Story packing(String compression) {
    Recording packed = new Recording(List.of(Cluster.RECORDER), LINGER, "", compression);
    return new Story(false, () -> Safe.SERVER, packed);
  }

  /** On hosts of which nothing can be cut off, so that their files are the same. */
  static Story withEqualFiles() {
    return new Story(false, () -> Safe.SERVER, ORDERS, Wiring.DIRECT);
  }

  private Story(boolean ownDatabase, Supplier<S3Server> store, Recording recording) {
    this(ownDatabase, store, recording, Wiring.BY_PROXIES);
  }

  private Story(boolean ownDatabase, Supplier<S3Server> store, Recording recording, Wiring wiring) {
    this.ownDatabase = ownDatabase;
    this.store = store;
    this.recording = recording;
    this.wiring = wiring;
  }

  @Override
  protected Cluster open() throws SQLException {
    postgres = ownDatabase ? PostgresServer.start() : PostgresServer.shared();
    Cluster cluster = Cluster.on(postgres, store.get(), wiring, recording);
    observer = Observer.ofStory(cluster.database());
    return cluster;
  }

  @Override
  protected void leave() throws SQLException {
    if (applications != null) {
      applications.close();
    }
    observer.close();
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    super.afterEach(context);
    if (ownDatabase) {
      postgres.close();
    }
  }

  /** The database server; to be harmed only if it is the story's own. */
  public PostgresServer postgres() {
    return postgres;
  }

  public Observer observer() {
    return observer;
  }

  /** Lets hosts start one after the other, so that the first becomes active; then rows come in. */
  public void begin(Host active, Host... standbys) throws Exception {
    active.start();
    observer.await("first term", START_WITHIN, state -> active.name().equals(state.holder()));
    for (Host standby : standbys) {
      standby.start();
    }
    for (Host standby : standbys) {
      observer.awaitReady(standby, START_WITHIN);
    }
    insertRows();
    observer.awaitWorking(active, START_WITHIN);
    nextChapter();
  }

  /** From now on only those alarms count that are still to come. */
  public void nextChapter() {
    cluster().hosts().forEach(host -> alarmsAtStart.put(host, host.alarms().size()));
  }

  /**
   * What {@code host} has asked attention for since the story, or this chapter of it, began; a busy
   * machine starts badly.
   */
  public List<Alarm> alarms(Host host) {
    List<Alarm> all = host.alarms();
    return all.subList(alarmsAtStart.getOrDefault(host, 0), all.size());
  }

  /** From now on applications insert, and every settled slot is noted. */
  public void insertRows() throws SQLException {
    journal = SettleJournal.in(cluster().database());
    Duration pause = Duration.ofMillis(150);
    List<Producer> producers = Producer.several(3, books);
    applications =
        ownDatabase
            ? Applications.startPersistent(cluster().database(), producers, pause)
            : Applications.start(cluster().database(), producers, pause);
  }

  /** Returns just after a slot was settled: between two slots, with the next one to fill first. */
  public void awaitNextSlot() throws Exception {
    long slot = observer.state().lastSlot();
    observer.await("another slot", Duration.ofSeconds(60), state -> state.lastSlot() > slot);
  }

  /** Waits until somebody has settled a slot in that term, or a later one. */
  public LogState awaitTermAtWork(long epoch) throws Exception {
    return observer.await(
        "term " + epoch + " at work",
        START_WITHIN,
        state -> state.epoch() >= epoch && state.lastSlot() > state.slotAtTakeover());
  }

  /** That applications have never had to wait so long for a commit since then. */
  public void assertApplicationsWentOn(long sinceNanos, Duration neverWaited) {
    Duration pause = books.longestPauseSince(sinceNanos);
    figure("longest pause of the applications, ms:", pause.toMillis());
    assertThat(pause).isLessThan(neverWaited);
  }

  /**
   * Why a host is replaced of which nothing is heard. The server itself ends its session after
   * three seconds; a standby that had no processor for so long finds it dead.
   */
  public static String[] silent() {
    return new String[] {"silent", "died"};
  }

  /** Whole milliseconds between two readings of the clock. */
  public static long millis(long fromNanos, long toNanos) {
    return (toNanos - fromNanos) / 1_000_000;
  }

  /** That {@code host} never asked for attention. */
  public void assertNoAlarms(Host host) {
    assertThat(alarmsOf(host)).as("alarms of " + host.name()).isEmpty();
  }

  /**
   * That {@code host} asked for attention once with a line that begins like {@code certain}, and
   * besides at most once with each of {@code possible}; of a lost database once with each reason.
   */
  public void assertAlarms(Host host, String certain, String... possible) {
    List<String> beginnings = new ArrayList<>(List.of(possible));
    beginnings.add(certain);
    assertThat(alarmsOf(host, beginnings.toArray(String[]::new)))
        .as("alarms of " + host.name())
        .allMatch(alarm -> beginnings.stream().anyMatch(alarm::startsWith))
        .anyMatch(alarm -> alarm.startsWith(certain));
    for (String beginning : beginnings) {
      assertThat(alarms(host))
          .filteredOn(alarm -> alarm.text().startsWith(beginning))
          .as("alarms of " + host.name())
          .hasSizeLessThanOrEqualTo(beginning.equals(NO_DATABASE) ? REASONS : 1);
    }
  }

  /**
   * Without those of a host that a busy machine kept from its heartbeats, unless {@code expected};
   * even of these there may be one spell only.
   */
  private List<String> alarmsOf(Host host, String... expected) {
    List<String> alarms = new ArrayList<>(alarms(host).stream().map(Alarm::text).toList());
    for (String ofBusyMachine : List.of(SESSION_LOST, NO_DATABASE)) {
      if (!List.of(expected).contains(ofBusyMachine)) {
        alarms.stream()
            .filter(alarm -> alarm.startsWith(ofBusyMachine))
            .findFirst()
            .ifPresent(alarms::remove);
      }
    }
    return alarms;
  }

  /**
   * That the recorder has changed hands for these reasons, in order. A host whose session ended
   * since a busy machine kept it from its heartbeats may have followed itself.
   */
  public void assertReasons(String... reasons) throws SQLException {
    boolean busy = sessionsLost() > 0;
    assertThat(observer.takeovers())
        .filteredOn(takeover -> !busy || !takeover.to().equals(takeover.from()))
        .extracting(Takeover::reason)
        .containsExactly(reasons);
  }

  /**
   * That nobody was replaced, but for a host whose session ended since a busy machine kept it from
   * its heartbeats.
   */
  public void assertNoTakeover() throws SQLException {
    List<String> reasons = observer.takeovers().stream().map(Takeover::reason).toList();
    assertThat(reasons).startsWith("start");
    assertThat(reasons.subList(1, reasons.size()))
        .allMatch(List.of("died", "silent")::contains)
        .hasSizeLessThanOrEqualTo(sessionsLost());
  }

  /** How often any host has lost its session. */
  public int sessionsLost() {
    return (int)
        cluster().hosts().stream()
            .flatMap(host -> host.log().stream())
            .filter(line -> line.contains(SESSION_LOST))
            .count();
  }

  /** Ends the inserts, waits for the rest to be recorded, stops all hosts, and proves the log. */
  public void end() throws Exception {
    endAfter(1);
  }

  /** The same after so many faults, each of which may be told of. */
  public void endAfter(int faults) throws Exception {
    applications.stop();
    assertThat(prove(cluster(), books).rows()).isPositive();
    for (Host host : cluster().hosts()) {
      assertThat(host.alarms())
          .as("alarms of " + host.name())
          .hasSizeLessThan(faults * MOST_ALARMS);
    }
    assertThat(journal.settles())
        .isNotEmpty()
        .allSatisfy(settle -> assertThat(settle.machine()).isEqualTo(settle.holder()));
  }

  /** Who moved the log, slot by slot. */
  public List<SettleJournal.Settle> settles() throws SQLException {
    return journal.settles();
  }

  /**
   * Since {@code cutNanos} {@code host} hears of no plan: it puts what it had planned, and nothing
   * else until {@code healedNanos}. When, is a figure: on a busy machine a PUT that was begun
   * within the lease arrives late. That none is begun later the simulator shows, by its own clock.
   */
  public void assertFenced(Host host, long cutNanos, long healedNanos) {
    List<HttpTap.Request> puts =
        cluster()
            .slotPuts(host, Long.MAX_VALUE)
            .filter(put -> put.nanos() - cutNanos > 0 && put.nanos() - healedNanos < 0)
            .toList();
    figure(
        "last PUT of " + host.name() + ", ms after the cut:",
        puts.stream().mapToLong(put -> millis(cutNanos, put.nanos())).max().orElse(0));
    assertThat(puts.stream().map(HttpTap.Request::path).distinct())
        .hasSizeLessThanOrEqualTo(MOST_PLANNED);
  }

  /** No PUT of a slot by {@code zombie} under {@code epoch} or an older one began since then. */
  public void assertNoSlotPut(Host zombie, long epoch, long sinceNanos) {
    assertThat(cluster().slotPuts(zombie, epoch))
        .isNotEmpty()
        .noneMatch(request -> request.nanos() - sinceNanos > 0);
  }
}
