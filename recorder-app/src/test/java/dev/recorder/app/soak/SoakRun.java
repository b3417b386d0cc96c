package dev.recorder.app.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Bucket;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.SettleJournal;
import dev.recorder.testing.BucketServer;
import dev.recorder.testing.PostgresServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A soak from the start of the servers to the report. */
final class SoakRun {
  /** Each the primary of one recorder. */
  private static final List<String> HOSTS = List.of("host-a", "host-b", "host-c");

  private static final List<String> RECORDERS = List.of("orders", "events", "audit");
  private static final int APPLICATIONS = 8;
  private static final Particulars PARTICULARS =
      Particulars.NONE.withTiming("s3_attempt_timeout = 3s\nfailback_after = 4s\nstuck_after = 4s");
  private static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(60);
  private static final Duration RECORDED_WITHIN = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(500);

  private final Options options;
  private final Journal journal;
  private final Recording recording = new Recording(RECORDERS, "500ms");

  SoakRun(Options options, Journal journal) {
    this.options = options;
    this.journal = journal;
  }

  Report run() throws SQLException, IOException, InterruptedException {
    journal.say("%d minutes, seed %d", options.length().toMinutes(), options.seed());
    Report report;
    try (PostgresServer postgres = PostgresServer.builder().durable().start();
        BucketServer s3 = BucketServer.startChosen();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.BY_PROXIES, recording);
        Watch watch = Watch.start(cluster.database(), RECORDERS)) {
      journal.say("on %s", postgres.description());
      report = soak(cluster, postgres, watch);
      if (!report.ok()) {
        journal.keep("postgres.log", postgres.log());
      }
    }
    ProcessHandle.current()
        .descendants()
        .filter(ProcessHandle::isAlive)
        .forEach(left -> journal.blame("still running: %s", left.info()));
    return journal.isClean() ? report : report.withoutProof();
  }

  private Report soak(Cluster cluster, PostgresServer postgres, Watch watch)
      throws SQLException, InterruptedException {
    S3Traffic s3 = new S3Traffic(cluster.tap(), options.seed(), S3Traffic.SLOT);
    List<Host> hosts = startHosts(cluster);
    watch.awaitReady(hosts.size(), START_WITHIN);
    watch.beginLoad();
    SettleJournal settles = SettleJournal.in(cluster.database());
    HostFaults faults = new HostFaults(hosts, watch::holder, journal);
    Preferences preferences = new Preferences(cluster, hosts, RECORDERS);
    Scene scene = new Scene(faults, s3, postgres, preferences::flip);
    SoakPlan plan =
        new SoakPlan(
            options.seed(), hosts.size(), RECORDERS.size(), EnumSet.allOf(FaultKind.class));
    try (Applications applications =
            Applications.start(
                cluster.database(), RECORDERS, APPLICATIONS, options.seed(), journal);
        Injector injector =
            new Injector(
                plan,
                scene,
                watch::longestStill,
                () -> applications.rows() + " rows committed, " + watch.slots() + " slots settled",
                journal)) {
      boolean moving = injector.run(options.length());
      journal.say("everything is healed");
      if (!moving || !areAllBack(watch)) {
        diagnose(cluster, hosts);
      }
      Ledger ledger = new Ledger(applications.stop(STOP_WITHIN), RECORDERS);
      int unknown = ledger.resolve(cluster.database(), journal);
      journal.say("%d commits without an answer, looked up in the database", unknown);
      List<Examination> examinations = examine(cluster, ledger);
      if (examinations.stream().anyMatch(each -> each.lost() > 0)) {
        diagnose(cluster, hosts);
      }
      Program.stop(hosts, journal);
      Zombies zombies = Zombies.of(cluster.database(), recording, journal);
      Report.Rows rows = sum(ledger, examinations);
      boolean verified = verify(cluster, rows.rows());
      long zombieWrites = zombies.puts(s3.slotPuts(), faults) + zombies.settles(settles);
      return new Report(
          options,
          injector.counts(),
          rows,
          zombies.takeovers(),
          settles.longestGapMillis(),
          zombieWrites,
          verified,
          rows.areAllRight() && zombieWrites == 0 && verified && journal.isClean());
    }
  }

  private List<Host> startHosts(Cluster cluster) {
    List<Host> hosts = new ArrayList<>();
    for (int i = 0; i < HOSTS.size(); i++) {
      Host host = cluster.host(HOSTS.get(i), Set.of(RECORDERS.get(i)), PARTICULARS);
      journal.follow(host);
      hosts.add(host.start());
    }
    return hosts;
  }

  private boolean areAllBack(Watch watch) throws InterruptedException {
    try {
      watch.awaitReady(HOSTS.size(), START_WITHIN);
      return true;
    } catch (IllegalStateException notAll) {
      journal.blame("after everything was healed %s", notAll.getMessage());
      return false;
    }
  }

  /** Reads the buckets until every row is there, or for as long as that may take. */
  private List<Examination> examine(Cluster cluster, Ledger ledger) throws InterruptedException {
    List<Examination> examinations = new ArrayList<>();
    for (int i = 0; i < RECORDERS.size(); i++) {
      examinations.add(new Examination(RECORDERS.get(i), i, ledger, journal));
    }
    long start = System.nanoTime();
    boolean complete = false;
    while (!complete && System.nanoTime() - start < RECORDED_WITHIN.toNanos()) {
      Thread.sleep(POLL.toMillis());
      for (int i = 0; i < RECORDERS.size(); i++) {
        Bucket bucket = cluster.bucket(RECORDERS.get(i));
        examinations.get(i).goOn(bucket.numbers(), bucket::slot);
      }
      complete = examinations.stream().allMatch(each -> each.lost() <= 0);
    }
    journal.say("the backlog is %s", complete ? "empty" : "not empty");
    examinations.forEach(Examination::blameTheLost);
    return examinations;
  }

  private static Report.Rows sum(Ledger ledger, List<Examination> examinations) {
    long committed = 0;
    for (int i = 0; i < RECORDERS.size(); i++) {
      committed += ledger.rows(i);
    }
    return new Report.Rows(
        committed,
        examinations.stream().mapToLong(Examination::slots).sum(),
        examinations.stream().mapToLong(Examination::lost).sum(),
        examinations.stream().mapToLong(Examination::duplicated).sum(),
        examinations.stream().mapToLong(Examination::outOfOrder).sum(),
        examinations.stream().mapToLong(Examination::foreign).sum());
  }

  private boolean verify(Cluster cluster, long committed) throws InterruptedException {
    long rows = 0;
    boolean ok = true;
    for (String recorder : RECORDERS) {
      Product.Outcome verify = cluster.spawn("verify", recorder, "-o", "json");
      journal.keep("verify-" + recorder + ".json", verify.output());
      try {
        JsonNode verdict = new ObjectMapper().readTree(verify.output());
        rows += verdict.path("rows").asLong();
        ok &= verify.exitCode() == 0 && verdict.path("ok").asBoolean();
      } catch (IOException noVerdict) {
        ok = false;
      }
    }
    if (!ok || rows != committed) {
      journal.blame("verify: ok %s, %d rows of %d committed", ok, rows, committed);
    }
    return ok && rows == committed;
  }

  /** Keeps what tells why a log does not move. */
  private void diagnose(Cluster cluster, List<Host> hosts) throws InterruptedException {
    hosts.stream().filter(Host::isRunning).forEach(Host::dumpThreads);
    journal.keep("status.json", cluster.spawn("status", "-o", "json").output());
    journal.keep("takeovers.json", cluster.spawn("takeovers", "-o", "json").output());
    for (Host host : hosts) {
      List<String> log = host.log();
      journal.say("the last lines of %s:", host.name());
      log.subList(Math.max(0, log.size() - 10), log.size())
          .forEach(each -> journal.say("| %s", each));
    }
  }
}
