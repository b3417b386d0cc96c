package dev.recorder.clearing.race;

import dev.recorder.handoff.Block;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** One race: producers, a writer, two clearers, and what befalls them. */
final class Race implements AutoCloseable {
  private static final int CLEARERS = 2;
  private static final int PROLONGATION = 50;
  private static final int MOST_PROLONGATIONS = 40;
  private static final List<Inserter.Role> INSERTERS =
      List.of(
          Inserter.Role.USUAL,
          Inserter.Role.USUAL,
          Inserter.Role.IN_TWO_PHASES,
          Inserter.Role.LATE,
          Inserter.Role.LATE,
          Inserter.Role.LATE,
          Inserter.Role.LATE,
          Inserter.Role.LATE,
          Inserter.Role.LATE,
          Inserter.Role.LATE,
          Inserter.Role.LATE);

  final RebaseSite site;
  final Breakage breakage;
  final Terms terms;
  final Truth truth;
  final Scribe scribe;
  final Latecomers latecomers = new Latecomers();
  final Journal journal = new Journal();
  final IndexDamage damage = new IndexDamage(this);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger rounds = new AtomicInteger();
  private long least;
  private int prolongations;
  private volatile boolean over;

  /**
   * What has become of the rows.
   *
   * @param committed by producers
   * @param lost in no object when all is recorded
   * @param doubled in objects more than once
   * @param strays in objects, and never committed
   * @param cleared rows that the notes say were cleared
   * @param left rows in the table
   * @param faults whatever else was wrong
   */
  record Outcome(
      long committed,
      Set<String> lost,
      Set<String> doubled,
      Set<String> strays,
      long cleared,
      long left,
      List<String> faults) {
    boolean isSound() {
      return lost.isEmpty()
          && doubled.isEmpty()
          && strays.isEmpty()
          && faults.isEmpty()
          && cleared + left == committed;
    }
  }

  Race(Breakage breakage) throws Exception {
    this.breakage = breakage;
    this.site = new RebaseSite(PostgresServer.shared(), new MemoryStore());
    String refusal = site.setUp();
    if (!refusal.isEmpty()) {
      throw new IllegalStateException(refusal);
    }
    this.terms = new Terms(site);
    this.truth = new Truth(site.store);
    this.scribe = new Scribe(this);
  }

  boolean isOver() {
    return over;
  }

  /** There are more, up to a limit, as long as not everything was met. */
  synchronized boolean hasRounds() {
    if (rounds.get() <= 0 && prolongations > 0 && !journal.hasMetAll(least)) {
      prolongations--;
      rounds.set(PROLONGATION);
    }
    return rounds.get() > 0;
  }

  /** One turn of who holds the term. */
  void takeRound() {
    rounds.decrementAndGet();
  }

  /** Ends a session a little later, whatever is under way on it then. */
  void endSoon(Connection session, long micros) {
    threads.execute(
        () -> {
          LockSupport.parkNanos(1_000 * micros);
          SqlConnections.abort(session);
        });
  }

  /** Runs on after its rounds until everything was met so often. */
  Race untilMet(long times) {
    least = times;
    prolongations = MOST_PROLONGATIONS;
    return this;
  }

  /** Runs so many rounds, and compares. */
  Outcome run(int howMany, long seed) throws Exception {
    rounds.set(howMany);
    SplittableRandom random = new SplittableRandom(seed);
    List<Future<Void>> others = new ArrayList<>();
    for (Inserter.Role role : INSERTERS) {
      others.add(threads.submit(new Inserter(this, random.split(), role)));
    }
    others.add(threads.submit(scribe));
    List<Future<Void>> clearers =
        Stream.generate(() -> threads.submit(new Clearer(this, random.split())))
            .limit(CLEARERS)
            .toList();
    try {
      for (Future<Void> each : clearers) {
        each.get();
      }
    } finally {
      over = true;
    }
    for (Future<Void> each : others) {
      each.get();
    }
    return compare();
  }

  private Outcome compare() throws Exception {
    scribe.recordAll();
    for (int leaf = 0; leaf < Block.LEAVES; leaf++) {
      damage.repair(leaf);
    }
    scribe.recordAll();
    truth.read();
    List<String> left = site.keys();
    List<String> faults = new ArrayList<>(journal.faults());
    site.verify().findings().forEach(finding -> faults.add(finding.toString()));
    String cleared = site.ask("SELECT coalesce(sum(cleared_rows), 0) FROM recorder.blocks").get(0);
    return new Outcome(
        truth.rows(),
        truth.lost(),
        truth.doubled(),
        truth.strays(),
        Long.parseLong(cleared),
        left.size(),
        faults);
  }

  @Override
  public void close() throws Exception {
    over = true;
    threads.shutdownNow();
    scribe.close();
    site.close();
  }
}
