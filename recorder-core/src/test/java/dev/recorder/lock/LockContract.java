package dev.recorder.lock;

import static dev.recorder.lock.Leases.atOnce;
import static dev.recorder.lock.Leases.finish;
import static dev.recorder.lock.Leases.take;
import static dev.recorder.testing.Patience.A_MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.LockKind.Client;
import dev.recorder.lock.LockKind.Servers;
import dev.recorder.postgres.LockSites;
import dev.recorder.testing.JavaProgram;
import dev.recorder.testing.ShownErrors;
import dev.recorder.testing.servers.RedisServer;
import dev.recorder.testing.servers.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** What every kind of lock promises that is held until it is closed. */
@Timeout(600)
abstract class LockContract {
  private static final int PROCESSES = 3;
  private static final int ROUNDS = 50;

  /** Longer than they wait for a lock: what they say then is shown. */
  private static final long CONTENDERS_LIVE_MINUTES = 8;

  private final LockKind kind;
  private final List<Client> clients = new ArrayList<>();
  private String name = "";

  LockContract(LockKind kind) {
    this.kind = kind;
  }

  /** Servers that all kinds share, started when first used. */
  static final class Shared {
    static final TestDatabase DATABASE;
    static final RedisServer REDIS = RedisServer.start();

    static {
      try {
        DATABASE = TestDatabase.createOwned();
        LockSites.create(DATABASE);
        DATABASE.execute(Contender.TABLE, "GRANT ALL ON critical TO PUBLIC");
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    static Servers servers() {
      return new Servers(DATABASE.server().port(), DATABASE.name(), REDIS.port());
    }

    private Shared() {}
  }

  @BeforeEach
  void name(TestInfo test) {
    name = kind + "/" + test.getTestMethod().orElseThrow().getName();
  }

  @AfterEach
  void close() {
    clients.forEach(Client::close);
  }

  private Client client() {
    return client(Instruments.PLAIN);
  }

  private Client client(Instruments instruments) {
    Client client = kind.open(Shared.servers(), "worker-" + clients.size(), instruments);
    clients.add(client);
    return client;
  }

  private DistributedLock lock() {
    return client().lock(name);
  }

  @Test
  void onlyOneHasIt() {
    DistributedLock first = lock();
    DistributedLock second = lock();
    Lease lease = take(first);
    assertThat(second.tryAcquire()).isEmpty();
    finish(lease);
    finish(take(second));
  }

  @Test
  void itIsNotReEntrant() {
    DistributedLock lock = lock();
    Lease lease = take(lock);
    assertThat(lock.tryAcquire()).isEmpty();
    finish(lease);
    finish(take(lock()));
    finish(take(lock));
  }

  @Test
  void namesAreLocksOfTheirOwn() {
    Client client = client();
    take(client.lock(name + "/1"));
    assertThat(client.lock(name + "/2").tryAcquire()).isPresent();
  }

  @Test
  void whoWaitsHasItSoonAfterItsRelease() throws Exception {
    Lease lease = take(lock());
    long token = lease.token();
    CompletableFuture<Lease> waiter = Waiter.of(lock()).outcome();
    Thread.sleep(300);
    assertThat(waiter).isNotDone();
    finish(lease);
    Lease next = waiter.get(1, TimeUnit.MINUTES);
    assertThat(next.token()).isGreaterThan(token);
    finish(next);
  }

  @Test
  void whoWaitsInVainHasNothingAfterTheLimit() throws Exception {
    take(lock());
    long start = System.nanoTime();
    assertThat(lock().tryAcquire(Duration.ofMillis(250))).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(240), A_MINUTE);
  }

  @Test
  void anInterruptEndsTheWaitAndLeavesNothingHeld() throws Exception {
    Lease lease = take(lock());
    Waiter<Lease> waiter = Waiter.of(lock());
    Thread.sleep(150);
    waiter.interrupt();
    waiter.assertInterrupted();
    finish(lease);
    finish(take(lock()));
  }

  @Test
  void aThreadThatIsInterruptedStillReleases() {
    Lease lease = take(lock());
    Thread.currentThread().interrupt();
    finish(lease);
    assertThat(Thread.interrupted()).isTrue();
    finish(take(lock()));
  }

  @Test
  void whatIsReleasedTwiceIsNotTheSuccessorsLoss() {
    Lease first = take(lock());
    finish(first);
    Lease second = take(lock());
    first.close();
    assertThat(second.state()).isEqualTo(LeaseState.HELD);
    assertThat(lock().tryAcquire()).as("while the successor has it").isEmpty();
    finish(second);
  }

  @Test
  void aLeaseSaysHowLongItCountsAndThatItIsOver() {
    Lease lease = take(lock());
    assertThat(lease.name()).contains(name);
    assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    assertThat(lease.remaining()).isPositive();
    lease.ensure(Duration.ofMillis(1));
    finish(lease);
    assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
    assertThat(lease.remaining()).isZero();
    assertThat(lease.lost().toCompletableFuture()).isNotDone();
    assertThatThrownBy(() -> lease.ensure(Duration.ZERO)).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void aContenderWhoseClockJumpsHasNothingByIt() throws Exception {
    JumpingTicker ticker = new JumpingTicker();
    DistributedLock jumping = client(new Instruments(ticker, LockListener.NONE)).lock(name);
    Lease lease = take(lock());
    for (int days : new int[] {1, -2, 10_000, -20_000}) {
      ticker.jump(Duration.ofDays(days));
      assertThat(jumping.tryAcquire()).isEmpty();
      assertThat(jumping.tryAcquire(Duration.ofMillis(50))).isEmpty();
    }
    assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    finish(lease);
    finish(take(jumping));
  }

  @Test
  void listenersHearWhatHappens() {
    Runnable failing =
        () -> {
          throw new IllegalStateException("a metric that fails");
        };
    Events events = new Events().when("acquired", failing);
    DistributedLock lock = client(events.instruments()).lock(name);
    Lease lease = take(lock);
    assertThat(lock.tryAcquire()).isEmpty();
    finish(lease);
    assertThat(events.told()).containsExactly("acquired", "not acquired", "released");
  }

  @Test
  void threadsOfOneClientExcludeEachOther() throws Exception {
    Client client = client();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    Callable<Void> thread =
        () -> {
          for (int round = 0; round < 10; round++) {
            Lease lease = client.lock(name).acquire();
            overlaps.addAndGet(inside.getAndIncrement());
            inside.decrementAndGet();
            finish(lease);
          }
          return null;
        };
    atOnce(Collections.nCopies(4, thread));
    assertThat(overlaps).hasValue(0);
  }

  @Test
  void processesExcludeEachOtherAndTokensRise() throws Exception {
    assertThat(contend(kind, name, PROCESSES, ROUNDS))
        .isEqualTo(new Tally((long) PROCESSES * ROUNDS, 0, 0));
  }

  @Test
  void racesBetweenReleaseAndTimeoutLeaveNothing() throws Exception {
    races(lock(), lock());
    finish(take(lock()));
  }

  /** Two try so often to have it within no time to speak of. */
  static void races(DistributedLock first, DistributedLock second) throws Exception {
    List<Callable<Integer>> both = List.of(() -> race(first), () -> race(second));
    assertThat(atOnce(both).stream().mapToInt(had -> had).sum()).isPositive();
  }

  /** How often it was had. */
  private static int race(DistributedLock lock) throws InterruptedException {
    int had = 0;
    for (int i = 0; i < Leases.RACES / 2; i++) {
      Optional<Lease> lease = lock.tryAcquire(Duration.ofNanos(i % 400 * 1_000L));
      lease.ifPresent(Leases::finish);
      had += lease.isPresent() ? 1 : 0;
    }
    return had;
  }

  /** What contenders have done. */
  record Tally(long entries, long overlaps, long disorder) {}

  /** Lets processes contend, and prints the longest wait of any. */
  static Tally contend(LockKind kind, String name, int processes, int rounds) throws Exception {
    TestDatabase database = Shared.DATABASE;
    database.execute("INSERT INTO critical (name) VALUES ('" + name + "')");
    List<Process> contenders = new CopyOnWriteArrayList<>();
    // No time limit of a test ends who reads what a process says.
    CompletableFuture<Void> end =
        CompletableFuture.runAsync(
            () -> contenders.forEach(Process::destroyForcibly),
            CompletableFuture.delayedExecutor(CONTENDERS_LIVE_MINUTES, TimeUnit.MINUTES));
    try {
      for (int i = 0; i < processes; i++) {
        contenders.add(start(kind, name, i, rounds));
      }
      for (Process contender : contenders) {
        assertThat(contender.inputReader().readLine()).isEqualTo("ready");
      }
      database.execute("UPDATE critical SET begun = clock_timestamp() WHERE name = '" + name + "'");
      long longest = 0;
      for (Process contender : contenders) {
        contender.getOutputStream().write('\n');
        contender.getOutputStream().flush();
      }
      for (Process contender : contenders) {
        longest = Math.max(longest, Long.parseLong(lastLine(contender)));
        assertThat(contender.waitFor()).isZero();
      }
      System.out.println(
          "figure: " + kind + ", " + processes + " processes, longest wait " + longest + " ms");
    } finally {
      end.cancel(false);
      contenders.forEach(Process::destroyForcibly);
    }
    return new Tally(noted("entries", name), noted("clashes", name), noted("disorder", name));
  }

  /** What contenders have noted about a lock. */
  static long noted(String what, String name) throws SQLException {
    return LockSites.number(
        Shared.DATABASE, "SELECT " + what + " FROM critical WHERE name = '" + name + "'");
  }

  private static String lastLine(Process process) throws IOException {
    try (BufferedReader lines = process.inputReader()) {
      return lines.lines().reduce((before, last) -> last).orElse("nothing");
    }
  }

  private static Process start(LockKind kind, String name, int number, int rounds)
      throws IOException {
    Servers servers = Shared.servers();
    return ShownErrors.of(
        JavaProgram.of(
            Contender.class,
            List.of("-Dstdout.encoding=" + StandardCharsets.UTF_8),
            List.of(
                kind.name(),
                Integer.toString(servers.postgres()),
                servers.database(),
                Integer.toString(servers.redis()),
                "contender-" + number,
                name,
                Integer.toString(rounds))));
  }
}
