package dev.recorder.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.LockKind.Client;
import dev.recorder.lock.LockKind.Servers;
import dev.recorder.postgres.LockSites;
import dev.recorder.testing.RedisServer;
import dev.recorder.testing.TestDatabase;
import dev.recorder.time.Ticker;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
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
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int PROCESSES = 4;
  private static final int ROUNDS = 50;
  private static final int RACES = 10_000;

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
      } catch (java.sql.SQLException e) {
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

  private static Lease take(DistributedLock lock) {
    return lock.tryAcquire().orElseThrow();
  }

  private static void finish(Lease lease) {
    lease.complete();
    lease.close();
  }

  private static CompletableFuture<Lease> acquire(DistributedLock lock) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return lock.acquire();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
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
    CompletableFuture<Lease> waiter = acquire(lock());
    Thread.sleep(300);
    assertThat(waiter).isNotDone();
    finish(lease);
    Lease next = waiter.get(SOON.toMillis(), TimeUnit.MILLISECONDS);
    assertThat(next.token()).isGreaterThan(token);
    finish(next);
  }

  @Test
  void whoWaitsInVainHasNothingAfterTheLimit() throws Exception {
    take(lock());
    long start = System.nanoTime();
    assertThat(lock().tryAcquire(Duration.ofMillis(250))).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(240), SOON);
  }

  @Test
  void anInterruptEndsTheWaitAndLeavesNothingHeld() throws Exception {
    Lease lease = take(lock());
    DistributedLock waited = lock();
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                waited.acquire();
              } catch (Throwable e) {
                outcome.complete(e);
              }
            });
    waiter.start();
    Thread.sleep(150);
    waiter.interrupt();
    assertThat(outcome.get(SOON.toMillis(), TimeUnit.MILLISECONDS))
        .isInstanceOf(InterruptedException.class);
    finish(lease);
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
  void listenersHearWhatHappens() throws Exception {
    ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
    LockListener listener =
        new LockListener() {
          @Override
          public void acquired(String lock, Duration waited) {
            heard.add("acquired");
            throw new IllegalStateException("a metric that fails");
          }

          @Override
          public void notAcquired(String lock, Duration waited) {
            heard.add("not acquired");
          }

          @Override
          public void released(String lock, Duration held) {
            heard.add("released");
          }
        };
    DistributedLock lock = client(new Instruments(Ticker.system(), listener)).lock(name);
    Lease lease = take(lock);
    assertThat(lock.tryAcquire()).isEmpty();
    finish(lease);
    assertThat(heard).containsExactly("acquired", "not acquired", "released");
  }

  @Test
  void threadsOfOneClientExcludeEachOther() throws Exception {
    Client client = client();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int round = 0; round < 10; round++) {
                  Lease lease = acquire(client.lock(name)).join();
                  overlaps.addAndGet(inside.getAndIncrement());
                  inside.decrementAndGet();
                  finish(lease);
                }
              },
              command -> new Thread(command).start()));
    }
    for (CompletableFuture<Void> thread : threads) {
      thread.get(5, TimeUnit.MINUTES);
    }
    assertThat(overlaps).hasValue(0);
  }

  @Test
  void processesExcludeEachOtherAndTokensRise() throws Exception {
    assertThat(contend(kind, name, PROCESSES, ROUNDS))
        .isEqualTo(new Tally((long) PROCESSES * ROUNDS, 0, 0));
  }

  @Test
  void tenThousandRacesBetweenReleaseAndTimeoutLeaveNothing() throws Exception {
    races(lock(), lock());
    finish(take(lock()));
  }

  /** Two try ten thousand times to have it within no time to speak of. */
  static void races(DistributedLock first, DistributedLock second) throws Exception {
    CompletableFuture<Integer> other = CompletableFuture.supplyAsync(() -> race(first, RACES / 2));
    int had = race(second, RACES / 2);
    assertThat(had + other.get(5, TimeUnit.MINUTES)).isPositive();
  }

  /** How often it was had. */
  private static int race(DistributedLock lock, int times) {
    int had = 0;
    for (int i = 0; i < times; i++) {
      try {
        Optional<Lease> lease = lock.tryAcquire(Duration.ofNanos(i % 400 * 1_000L));
        lease.ifPresent(LockContract::finish);
        had += lease.isPresent() ? 1 : 0;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    return had;
  }

  /** What contenders have done. */
  record Tally(long entries, long overlaps, long disorder) {}

  /** Lets processes contend, and prints the longest wait of any. */
  static Tally contend(LockKind kind, String name, int processes, int rounds) throws Exception {
    TestDatabase database = Shared.DATABASE;
    database.execute("INSERT INTO critical (name) VALUES ('" + name + "')");
    List<Process> contenders = new ArrayList<>();
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
      contenders.forEach(Process::destroyForcibly);
    }
    return new Tally(
        LockSites.number(database, "SELECT entries FROM critical WHERE name = '" + name + "'"),
        LockSites.number(database, "SELECT clashes FROM critical WHERE name = '" + name + "'"),
        LockSites.number(database, "SELECT disorder FROM critical WHERE name = '" + name + "'"));
  }

  private static String lastLine(Process process) throws IOException {
    try (BufferedReader lines = process.inputReader()) {
      return lines.lines().reduce((before, last) -> last).orElse("nothing");
    }
  }

  private static Process start(LockKind kind, String name, int number, int rounds)
      throws IOException {
    Servers servers = Shared.servers();
    return new ProcessBuilder(
            System.getProperty("java.home") + "/bin/java",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dstdout.encoding=" + StandardCharsets.UTF_8,
            "-cp",
            System.getProperty("java.class.path"),
            Contender.class.getName(),
            kind.name(),
            Integer.toString(servers.postgres()),
            servers.database(),
            Integer.toString(servers.redis()),
            "contender-" + number,
            name,
            Integer.toString(rounds))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
