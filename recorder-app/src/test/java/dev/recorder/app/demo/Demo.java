package dev.recorder.app.demo;

import dev.recorder.app.harness.Applications;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Takeover;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.app.harness.proof.Books;
import dev.recorder.app.harness.proof.Oracle;
import dev.recorder.app.harness.proof.Producer;
import dev.recorder.app.harness.proof.Proof;
import dev.recorder.testing.servers.BucketServer;
import dev.recorder.testing.servers.PostgresServer;
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
  private final Books books = new Books();

  private Demo() {}

  /** Ends with 0 only if a takeover happened and nothing was lost, doubled or reordered. */
  public static void main(String[] arguments) {
    TestProgram.run("demo", new Demo()::run);
  }

  private boolean run() throws SQLException, IOException, InterruptedException {
    screen.say("starting PostgreSQL with fsync and an S3 server");
    try (PostgresServer postgres = PostgresServer.builder().durable().start();
        BucketServer s3 = BucketServer.startChosen();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, "1s");
        Observer observer = new Observer(cluster.database())) {
      screen.say("it is %s", postgres.description());
      return play(cluster, observer);
    }
  }

  private boolean play(Cluster cluster, Observer observer)
      throws SQLException, InterruptedException {
    Host primary = cluster.host("host-a", true, IMPATIENT);
    Host secondary = cluster.host("host-b", false, IMPATIENT);
    startBoth(primary, secondary, observer);
    try (Applications applications =
        Applications.start(cluster.database(), Producer.several(CONNECTIONS, books), PAUSE)) {
      screen.say("%d connections insert rows, some slowly, some to roll back", CONNECTIONS);
      showProgress(observer, BEFORE_THE_KILL);
      long takeoverMillis = killAndAwaitTakeover(primary, secondary, observer);
      showProgress(observer, AFTER_THE_TAKEOVER);
      long failbackMillis = bringBack(primary, observer);
      showProgress(observer, AFTER_THE_RETURN);
      applications.stop();
      screen.say("the inserts have ended: %d rows committed", books.rows());
      // When it takes too long the proof will tell what is missing.
      Oracle.of(cluster, books, fault -> {}).awaitRecorded(RECORDED_WITHIN);
      stopAll(cluster);
      Proof proof = Proof.of(cluster, books);
      showProof(proof, takeoverMillis, failbackMillis);
      System.out.println(json(proof, takeoverMillis, failbackMillis));
      return proof.holds();
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
          books.rows(), state.lastSlot(), state.holder(), state.epoch());
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
    Object[][] rows = {
      {"rows committed", proof.rows()},
      {"rows rolled back", books.rowsRolledBack()},
      {"objects", proof.objects()},
      {"rows lost", proof.lost()},
      {"rows duplicated", proof.duplicated()},
      {"rows out of order", proof.outOfOrder()},
      {"rows that nobody committed", proof.foreign()},
      {"faults", proof.faults().isEmpty() ? "none" : String.join("; ", proof.faults())},
      {"takeover", takeoverMillis + " ms"},
      {"gap of the failback", failbackMillis + " ms"},
    };
    screen.table(rows);
  }

  /** The last line. */
  private static String json(Proof proof, long takeoverMillis, long failbackMillis) {
    return """
        {"rows_inserted":%d,"objects":%d,"rows_lost":%d,"rows_duplicated":%d,"rows_out_of_order":%d,\
        "takeover_ms":%d,"failback_gap_ms":%d}"""
        .formatted(
            proof.rows(),
            proof.objects(),
            proof.lost(),
            proof.duplicated(),
            proof.outOfOrder(),
            takeoverMillis,
            failbackMillis);
  }
}
