package dev.recorder.app.demo;

import dev.recorder.app.harness.Bucket;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Ledger;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Producers;
import dev.recorder.app.harness.Proof;
import dev.recorder.app.harness.Takeover;
import dev.recorder.testing.AtExit;
import dev.recorder.testing.BucketServer;
import dev.recorder.testing.PostgresServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Two hosts record what applications insert, the primary is killed, comes back and gets its
 * recorder back, and every row is in the bucket exactly once.
 *
 * <p>Everything is real and local: PostgreSQL with fsync, an S3 server, two recorders in processes
 * of their own. Nothing stays behind, however the demo ends.
 */
public final class Demo {
  private static final int CONNECTIONS = 5;
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration START_WITHIN = Duration.ofSeconds(60);
  private static final Duration TAKEOVER_WITHIN = Duration.ofSeconds(60);
  private static final Duration BEFORE_THE_KILL = Duration.ofSeconds(4);
  private static final Duration AFTER_THE_TAKEOVER = Duration.ofSeconds(3);
  private static final Duration FAILBACK_WITHIN = Duration.ofSeconds(60);
  private static final Duration AFTER_THE_RETURN = Duration.ofSeconds(3);

  /** Shorter than the default, so that nobody has to wait for it here. */
  private static final Particulars IMPATIENT = Particulars.NONE.withTiming("failback_after = 2s");

  private static final Duration RECORDED_WITHIN = Duration.ofSeconds(60);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(60);

  private final Screen screen = new Screen();
  private final Ledger ledger = new Ledger();

  private Demo() {}

  /** Ends with 0 only if a takeover happened and nothing was lost, doubled or reordered. */
  public static void main(String[] arguments) {
    try {
      Result result = new Demo().run();
      System.out.println(result.json());
      System.exit(result.proof().holds() ? 0 : 1);
    } catch (Throwable failed) {
      // On Ctrl-C everything is being closed under our feet, which is no failure worth telling.
      if (!AtExit.isEnding()) {
        System.err.println("the demo failed: " + failed);
        System.exit(1);
      }
    }
  }

  private Result run() throws SQLException, IOException, InterruptedException {
    screen.say("starting PostgreSQL with fsync and an S3 server");
    try (PostgresServer postgres = PostgresServer.builder().durable().start();
        BucketServer s3 = BucketServer.startChosen();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, "1s");
        Observer observer = new Observer(cluster.database())) {
      screen.say("it is %s", postgres.description());
      return play(cluster, observer);
    }
  }

  private Result play(Cluster cluster, Observer observer)
      throws SQLException, InterruptedException {
    Host primary = cluster.host("host-a", true, IMPATIENT);
    Host secondary = cluster.host("host-b", false, IMPATIENT);
    startBoth(primary, secondary, observer);
    try (Producers producers = Producers.start(cluster.database(), ledger, CONNECTIONS, PAUSE)) {
      screen.say("%d connections insert rows, some slowly, some to roll back", CONNECTIONS);
      showProgress(observer, BEFORE_THE_KILL);
      long takeoverMillis = killAndAwaitTakeover(primary, secondary, observer);
      showProgress(observer, AFTER_THE_TAKEOVER);
      long failbackMillis = bringBack(primary, observer);
      showProgress(observer, AFTER_THE_RETURN);
      producers.stop();
      screen.say("the inserts have ended: %d rows committed", ledger.rows());
      awaitRecorded(cluster.bucket());
      stopAll(cluster);
      Proof proof = Proof.of(cluster.bucket(), ledger);
      showProof(proof, takeoverMillis, failbackMillis);
      return new Result(proof, takeoverMillis, failbackMillis);
    }
  }

  private void startBoth(Host primary, Host secondary, Observer observer)
      throws SQLException, InterruptedException {
    screen.say("starting two recorders: host-a is the primary, host-b its secondary");
    screen.follow(primary);
    screen.follow(secondary);
    primary.start();
    // Were both to start at once, the first to be able would take it, whichever that is.
    observer.await("host-a active", START_WITHIN, state -> primary.name().equals(state.holder()));
    secondary.start();
    observer.awaitReady(secondary, START_WITHIN);
  }

  private long killAndAwaitTakeover(Host victim, Host successor, Observer observer)
      throws SQLException, InterruptedException {
    screen.say("SIGKILL to %s", victim.name());
    long killedAt = System.nanoTime();
    victim.kill();
    LogState state = observer.awaitWorking(successor, TAKEOVER_WITHIN);
    long millis = Duration.ofNanos(state.seenNanos() - killedAt).toMillis();
    screen.say(
        "%s has taken over: its first slot is settled %d ms after the kill",
        successor.name(), millis);
    return millis;
  }

  /** How long nobody was active when the primary took back, by the receipt. */
  private long bringBack(Host primary, Observer observer)
      throws SQLException, InterruptedException {
    screen.say("starting %s again; after 2 s of health it gets its recorder back", primary.name());
    primary.start();
    observer.awaitReady(primary, START_WITHIN);
    observer.awaitWorking(primary, FAILBACK_WITHIN);
    List<Takeover> takeovers = observer.takeovers();
    // A failback, unless this machine is so busy that the other one was given up before.
    Takeover failback = takeovers.get(takeovers.size() - 1);
    screen.say(
        "%s is active again (%s), with a gap of %d ms",
        primary.name(), failback.reason(), failback.gapMillis());
    return failback.gapMillis();
  }

  private void showProgress(Observer observer, Duration duration)
      throws SQLException, InterruptedException {
    for (long second = 0; second < duration.toSeconds(); second++) {
      Thread.sleep(1_000);
      LogState state = observer.state();
      screen.say(
          "%6d rows committed, %3d slots settled, %s is active in epoch %d",
          ledger.rows(), state.lastSlot(), state.holder(), state.epoch());
    }
  }

  private void awaitRecorded(Bucket bucket) throws InterruptedException {
    long start = System.nanoTime();
    // When it takes too long the proof will tell what is missing.
    while (bucket.rows() < ledger.rows() && System.nanoTime() - start < RECORDED_WITHIN.toNanos()) {
      Thread.sleep(100);
    }
  }

  private void stopAll(Cluster cluster) {
    cluster.hosts().forEach(Host::terminate);
    for (Host host : cluster.hosts()) {
      int code = host.awaitExit(STOP_WITHIN);
      screen.say("%s has ended with exit code %d", host.name(), code);
    }
  }

  private void showProof(Proof proof, long takeoverMillis, long failbackMillis) {
    screen.say("the bucket, read back line by line, against what the inserters know:");
    String[][] rows = {
      {"rows committed", Integer.toString(proof.rows())},
      {"rows rolled back", Long.toString(ledger.rowsRolledBack())},
      {"objects", Integer.toString(proof.objects())},
      {"rows lost", Integer.toString(proof.lost())},
      {"rows duplicated", Integer.toString(proof.duplicated())},
      {"rows out of order", Integer.toString(proof.outOfOrder())},
      {"rows that nobody committed", Integer.toString(proof.foreign())},
      {"other faults", proof.faults().isEmpty() ? "none" : String.join("; ", proof.faults())},
      {"takeover", takeoverMillis + " ms"},
      {"gap of the failback", failbackMillis + " ms"},
    };
    screen.table(rows);
  }
}
