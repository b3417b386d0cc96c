package dev.recorder.app.soak.storm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.handlers.JobBook;
import dev.recorder.app.handlers.JobHandlers;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.HandlerJar;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.proof.RequestOracle;
import dev.recorder.app.harness.proof.RequestProof;
import dev.recorder.app.harness.proof.StatusJournal;
import dev.recorder.app.soak.FaultKind;
import dev.recorder.app.soak.FaultyRun;
import dev.recorder.app.soak.Journal;
import dev.recorder.app.soak.Options;
import dev.recorder.app.soak.Stage;
import dev.recorder.testing.servers.S3Server;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Faults over hosts that process requests: each request takes effect once. */
final class StormRun extends FaultyRun {
  private static final String ACCOUNTS = "accounts";
  private static final List<String> RECORDERS = List.of(ACCOUNTS, RequestOracle.JOBS);
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

  /** Nobody holds any; as many wait as are counted. */
  private static final String STATE =
      RECORDERS.stream()
          .map(
              """
              SELECT '%1$s', NULL,
                (SELECT coalesce(max(n), 0) FROM proof.changes WHERE recorder = '%1$s'),
                (SELECT count(*) FROM (SELECT FROM handoff.%1$s
                  WHERE request_status = 'new' LIMIT 1000) s),
                (SELECT count(*) FROM handoff.%1$s WHERE request_status = 'in-progress')"""
                  ::formatted)
          .collect(Collectors.joining(" UNION ALL "));

  private static final Pattern DOCUMENT = Pattern.compile(".*/accounts/[^_/][^/]*\\.json");

  /** The pause after a failed attempt may be a minute. */
  private static final Duration SETTLED_WITHIN = Duration.ofSeconds(150);

  /** Then whatever a fault has delayed has arrived. */
  private static final Duration LATE = Duration.ofSeconds(6);

  private static final Duration POLL = Duration.ofMillis(200);

  private final Set<String> confirmed = ConcurrentHashMap.newKeySet();

  StormRun(Options options, Journal journal) {
    super(
        options,
        journal,
        new Setting(
            RECORDERS,
            RECORDING,
            S3Server::start,
            DOCUMENT,
            FaultKind.ofAnyRecorder(),
            STATE,
            Duration.ofMillis(60)));
  }

  @Override
  protected Host host(Cluster cluster, String name, int number) {
    return cluster.host(
        name,
        Set.of(),
        Particulars.NONE
            .withTiming("s3_attempt_timeout = 3s")
            .withHandlers(HandlerJar.write(cluster.file(name + ".jar"), JobHandlers.class))
            .withJvm(
                "-D" + JobBook.URL + "=" + cluster.database().jdbcUrl(),
                "-D" + JobBook.USER + "=" + TestDatabase.ROLE,
                "-D" + JobBook.PASSWORD + "=" + TestDatabase.PASSWORD));
  }

  @Override
  protected void awaitReady(Stage stage) throws InterruptedException {
    for (Host host : stage.hosts()) {
      for (String recorder : RECORDERS) {
        host.awaitLog("[" + host.name() + " " + recorder, START_WITHIN);
      }
    }
  }

  @Override
  protected void open(Stage stage) throws SQLException {
    StatusJournal.open(stage.cluster().database(), RECORDERS);
  }

  @Override
  protected List<FrontEnd> works() {
    List<FrontEnd> works = new ArrayList<>();
    for (FrontEnd.Kind kind : FRONT_ENDS) {
      Random random = new Random(options.seed() * 31 + works.size());
      works.add(new FrontEnd(kind, works.size(), random, confirmed));
    }
    return works;
  }

  @Override
  protected String progress(Stage stage) {
    return confirmed.size() + " requests, " + stage.watch().waiting() + " wait";
  }

  @Override
  protected boolean awaitDone(Stage stage) throws InterruptedException {
    long start = System.nanoTime();
    // The watch has looked since the last commit.
    Thread.sleep(5 * POLL.toMillis());
    while (stage.watch().waiting() > 0 && System.nanoTime() - start < SETTLED_WITHIN.toNanos()) {
      Thread.sleep(POLL.toMillis());
    }
    long waiting = stage.watch().waiting();
    if (waiting > 0) {
      journal.blame(
          "%d requests wait %d s after the last fault", waiting, SETTLED_WITHIN.toSeconds());
    }
    Thread.sleep(LATE.toMillis());
    JsonNode recorders = ask(stage, "status").path("recorders");
    if (!recorders.findValuesAsText("recorder").containsAll(RECORDERS)) {
      journal.blame("status: %s", recorders);
    }
    return waiting == 0;
  }

  /** The product's own proof must come to the same end as the one from outside. */
  @Override
  protected Map<String, Object> prove(Stage stage) throws SQLException, InterruptedException {
    ask(stage, "verify", ACCOUNTS);
    RequestOracle oracle =
        new RequestOracle(
            stage.cluster().database(), RECORDERS, fault -> journal.blame("%s", fault));
    journal.say("%d requests have had a lost attempt", oracle.withLostAttempts());
    RequestProof proof = oracle.examine(confirmed, ACCOUNTS, stage.cluster().documents(ACCOUNTS));
    if (!proof.holds()) {
      journal.blame("%s", proof);
    }
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("requests", proof.requests());
    figures.put("entities", proof.entities());
    figures.put("units", proof.units());
    figures.put("lost", proof.lost());
    figures.put("applied_twice", proof.appliedTwice());
    figures.put("wrong_documents", proof.wrongDocuments());
    figures.put("overlaps", proof.overlaps());
    figures.put("errors", proof.errors());
    figures.put("longest_wait_ms", proof.longestWaitMillis());
    return figures;
  }
}
