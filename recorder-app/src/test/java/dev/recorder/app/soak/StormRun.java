package dev.recorder.app.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.handlers.JobBook;
import dev.recorder.app.handlers.JobHandlers;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.HandlerJar;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.S3Server;
import dev.recorder.testing.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** A storm from the start of the servers to the report. */
final class StormRun {
  private static final List<String> HOSTS = List.of("host-a", "host-b", "host-c");
  private static final List<String> RECORDERS = List.of("accounts", "jobs");
  private static final Recording RECORDING =
      Recording.ofRequests(
          """
          [recorder:accounts]
          lockid = 1
          kind = requests
          max_attempts = 1000
          handler_timeout = 20s

          [recorder:jobs]
          lockid = 2
          kind = requests
          handler = jobs
          max_attempts = 1000
          handler_timeout = 20s
          """);

  private static final List<FrontEnd.Kind> FRONT_ENDS =
      List.of(
          FrontEnd.Kind.OWN,
          FrontEnd.Kind.OWN,
          FrontEnd.Kind.OWN,
          FrontEnd.Kind.OWN,
          FrontEnd.Kind.SHARED,
          FrontEnd.Kind.SHARED,
          FrontEnd.Kind.SHARED,
          FrontEnd.Kind.JOBS,
          FrontEnd.Kind.JOBS);

  private static final String FOLDER = "recorded/accounts/";
  private static final String SUFFIX = ".json";
  private static final Pattern DOCUMENT = Pattern.compile(".*/accounts/[^_/][^/]*\\.json");

  private static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(60);

  /** The pause after a failed attempt may be a minute. */
  private static final Duration SETTLED_WITHIN = Duration.ofSeconds(150);

  /** Then whatever a fault has delayed has arrived. */
  private static final Duration LATE = Duration.ofSeconds(6);

  private static final Duration POLL = Duration.ofMillis(200);

  private final Options options;
  private final Journal journal;

  StormRun(Options options, Journal journal) {
    this.options = options;
    this.journal = journal;
  }

  StormReport run() throws SQLException, IOException, InterruptedException {
    journal.say("%d s, seed %d", options.length().toSeconds(), options.seed());
    StormReport report;
    try (PostgresServer postgres =
            PostgresServer.builder().durable().set("max_connections", "200").start();
        S3Server s3 = S3Server.start();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.BY_PROXIES, RECORDING)) {
      journal.say("on %s", postgres.description());
      report = storm(cluster, postgres, s3);
      if (!report.ok()) {
        journal.keep("postgres.log", postgres.log());
      }
    }
    return report;
  }

  private StormReport storm(Cluster cluster, PostgresServer postgres, S3Server store)
      throws SQLException, InterruptedException {
    List<Host> hosts = startHosts(cluster);
    StormBooks.open(cluster.database(), RECORDERS);
    S3Traffic s3 = new S3Traffic(cluster.tap(), options.seed(), DOCUMENT);
    HostFaults faults = new HostFaults(hosts, recorder -> Optional.empty(), journal);
    Scene scene = new Scene(faults, s3, postgres, drawn -> Optional.empty());
    SoakPlan plan =
        new SoakPlan(options.seed(), hosts.size(), RECORDERS.size(), FaultKind.ofAnyRecorder());
    try (QueueWatch watch = QueueWatch.start(cluster.database(), RECORDERS, journal);
        FrontEnds frontEnds =
            FrontEnds.start(cluster.database(), FRONT_ENDS, options.seed(), journal);
        Injector injector =
            new Injector(
                plan,
                scene,
                watch::longestStill,
                () -> frontEnds.requests() + " requests, " + watch.waiting() + " wait",
                journal)) {
      injector.run(options.length());
      journal.say("everything is healed");
      Set<String> confirmed = frontEnds.stop(STOP_WITHIN);
      if (!isWorkedOff(watch)) {
        journal.blame(
            "%d requests wait %d s after the last fault",
            watch.waiting(), SETTLED_WITHIN.toSeconds());
        diagnose(cluster, hosts);
      }
      Thread.sleep(LATE.toMillis());
      checkStatus(cluster);
      checkByCommand(cluster);
      stop(hosts);
      StormReport.Found found =
          new StormExamination(cluster.database(), journal)
              .examine(confirmed, documents(store, cluster.bucketName()));
      return new StormReport(
          options, injector.counts(), found, found.isAllRight() && journal.isClean());
    }
  }

  private List<Host> startHosts(Cluster cluster) throws InterruptedException {
    TestDatabase database = cluster.database();
    Particulars particulars =
        Particulars.NONE
            .withTiming("s3_attempt_timeout = 3s")
            .withHandlers(HandlerJar.write(cluster.file("jobs.jar"), JobHandlers.class))
            .withJvm(
                "-D" + JobBook.URL + "=" + database.jdbcUrl(),
                "-D" + JobBook.USER + "=" + TestDatabase.ROLE,
                "-D" + JobBook.PASSWORD + "=" + TestDatabase.PASSWORD);
    List<Host> hosts = new ArrayList<>();
    for (String name : HOSTS) {
      Host host = cluster.host(name, Set.of(), particulars);
      journal.follow(host);
      hosts.add(host.start());
    }
    for (Host host : hosts) {
      for (String recorder : RECORDERS) {
        host.awaitLog("[" + host.name() + " " + recorder, START_WITHIN);
      }
    }
    return hosts;
  }

  private static boolean isWorkedOff(QueueWatch watch) throws InterruptedException {
    long start = System.nanoTime();
    // The watch has looked since the last commit.
    Thread.sleep(5 * POLL.toMillis());
    while (watch.waiting() > 0 && System.nanoTime() - start < SETTLED_WITHIN.toNanos()) {
      Thread.sleep(POLL.toMillis());
    }
    return watch.waiting() == 0;
  }

  /** Documents by entity, read past the product. */
  private static Map<String, byte[]> documents(S3Server s3, String bucket) {
    Map<String, byte[]> documents = new TreeMap<>();
    s3.objects(bucket, FOLDER)
        .forEach(
            (key, body) -> {
              if (!key.startsWith(FOLDER + "_")) {
                documents.put(key.substring(FOLDER.length()).replace(SUFFIX, ""), body);
              }
            });
    return documents;
  }

  private void checkStatus(Cluster cluster) throws InterruptedException {
    Product.Outcome status = cluster.spawn("status", "-o", "json");
    journal.keep("status.json", status.output());
    try {
      JsonNode recorders = new ObjectMapper().readTree(status.output()).path("recorders");
      List<String> names = recorders.findValuesAsText("recorder");
      if (status.exitCode() == 0 && names.containsAll(RECORDERS)) {
        return;
      }
    } catch (IOException noJson) {
      // Blamed below.
    }
    journal.blame("status: exit code %d, %s", status.exitCode(), status.output());
  }

  /** The product's own proof must come to the same end as the one from outside. */
  private void checkByCommand(Cluster cluster) throws InterruptedException {
    Product.Outcome verified = cluster.spawn("verify", "accounts", "-o", "json");
    journal.keep("verify.json", verified.output());
    if (verified.exitCode() != 0) {
      journal.blame("verify: exit code %d, %s", verified.exitCode(), verified.output());
    }
  }

  private void stop(List<Host> hosts) {
    Program.stop(hosts, journal);
    for (Host host : hosts) {
      host.log().stream()
          .filter(line -> line.startsWith("Exception in thread") || line.startsWith("\tat "))
          .findFirst()
          .ifPresent(line -> journal.blame("%s has printed %s", host.name(), line));
    }
  }

  /** Keeps what tells why requests wait. */
  private void diagnose(Cluster cluster, List<Host> hosts) throws InterruptedException {
    hosts.stream().filter(Host::isRunning).forEach(Host::dumpThreads);
    journal.keep("status-waiting.json", cluster.spawn("status", "-o", "json").output());
  }
}
