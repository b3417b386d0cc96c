package dev.recorder.app.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.recorder.app.harness.Applications;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Product;
import dev.recorder.testing.servers.BucketServer;
import dev.recorder.testing.servers.PostgresServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A soak or a storm from the start of the servers to the report: hosts start, applications have
 * something for them to do, faults befall both, everything is healed, and what was done is proved.
 */
public abstract class FaultyRun {
  public static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(60);
  private static final List<String> HOSTS = List.of("host-a", "host-b", "host-c");

  protected final Options options;
  protected final Journal journal;
  private final Setting setting;

  /**
   * In what runs differ.
   *
   * @param objects paths of what is recorded, whose PUTs have faults of their own
   * @param state for {@link Watch}
   * @param pause of each application between two transactions
   */
  public record Setting(
      List<String> recorders,
      Recording recording,
      Supplier<BucketServer> store,
      Pattern objects,
      Set<FaultKind> kinds,
      String state,
      Duration pause) {}

  protected FaultyRun(Options options, Journal journal, Setting setting) {
    this.options = options;
    this.journal = journal;
    this.setting = setting;
  }

  /** A host that is yet to be started, the n-th, counted from zero. */
  protected abstract Host host(Cluster cluster, String name, int number);

  /** Waits until all hosts are able to do everything. */
  protected abstract void awaitReady(Stage stage) throws InterruptedException;

  /** Comes before the first application. */
  protected abstract void open(Stage stage) throws SQLException;

  /** Makes another host a recorder's primary, if recorders have any. */
  protected Optional<Struck> flip(Stage stage, Drawn drawn) {
    return Optional.empty();
  }

  /** Lets it go on, with nothing broken, until enough was done that the proof is worth its name. */
  protected void goOn(Stage stage) throws SQLException, InterruptedException {}

  /** What applications do. */
  protected abstract List<? extends Applications.Work> works();

  /** How far it all is, for people. */
  protected abstract String progress(Stage stage);

  /** Waits until everything is done that applications have asked for; false if it takes long. */
  protected abstract boolean awaitDone(Stage stage) throws SQLException, InterruptedException;

  /** Blames what is wrong, when the hosts have ended; gives the figures of the last line. */
  protected abstract Map<String, Object> prove(Stage stage)
      throws SQLException, InterruptedException;

  public final Report run() throws SQLException, IOException, InterruptedException {
    journal.say("%d s, seed %d", options.length().toSeconds(), options.seed());
    Set<Long> others = processes().map(ProcessHandle::pid).collect(Collectors.toSet());
    Report report;
    try (PostgresServer postgres = PostgresServer.builder().durable().start();
        BucketServer s3 = setting.store().get();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.BY_PROXIES, setting.recording());
        Watch watch =
            Watch.start(cluster.database(), setting.recorders(), setting.state(), journal)) {
      journal.say("on %s", postgres.description());
      report = play(startHosts(cluster, watch), postgres);
      if (!report.ok()) {
        journal.keep("postgres.log", postgres.log());
      }
    }
    processes()
        .filter(left -> !others.contains(left.pid()))
        .forEach(left -> journal.blame("still running: %s", left.info()));
    return journal.isClean() ? report : report.withoutProof();
  }

  private static Stream<ProcessHandle> processes() {
    return ProcessHandle.current().descendants().filter(ProcessHandle::isAlive);
  }

  private Stage startHosts(Cluster cluster, Watch watch) {
    S3Traffic traffic = new S3Traffic(cluster.tap(), options.seed(), setting.objects());
    List<Host> hosts = new ArrayList<>();
    for (int i = 0; i < HOSTS.size(); i++) {
      Host host = host(cluster, HOSTS.get(i), i);
      journal.follow(host);
      hosts.add(host.start());
    }
    FaultyHosts faults = new FaultyHosts(hosts, watch::holder, journal);
    return new Stage(cluster, hosts, watch, faults, traffic);
  }

  private Report play(Stage stage, PostgresServer postgres)
      throws SQLException, InterruptedException {
    awaitReady(stage);
    open(stage);
    stage.watch().beginLoad();
    Scene scene = new Scene(stage.faults(), stage.traffic(), postgres, drawn -> flip(stage, drawn));
    SoakPlan plan =
        new SoakPlan(options.seed(), HOSTS.size(), setting.recorders().size(), setting.kinds());
    try (Applications applications =
            Applications.startPersistent(stage.cluster().database(), works(), setting.pause());
        Injector injector =
            new Injector(
                plan, scene, stage.watch()::longestStill, () -> progress(stage), journal)) {
      boolean moving = injector.run(options.length());
      journal.say("everything is healed");
      if (moving) {
        goOn(stage);
      } else {
        diagnose(stage);
      }
      stop(applications);
      if (!awaitDone(stage)) {
        diagnose(stage);
      }
      stop(stage.hosts());
      Map<String, Object> figures = prove(stage);
      return new Report(options, injector.counts(), figures, journal.isClean());
    }
  }

  private void stop(Applications applications) throws InterruptedException {
    try {
      applications.stop();
    } catch (IllegalStateException failed) {
      journal.blame("%s: %s", failed.getMessage(), failed.getCause());
    }
  }

  /** Stops hosts in good order; one that does not end so, or has printed a trace, is blamed. */
  private void stop(List<Host> hosts) {
    hosts.stream().filter(Host::isRunning).forEach(Host::terminate);
    for (Host host : hosts) {
      try {
        int code = host.awaitExit(STOP_WITHIN);
        if (code != 0) {
          journal.blame("%s ended with exit code %d", host.name(), code);
        }
      } catch (AssertionError tooLong) {
        journal.blame("%s", tooLong.getMessage());
      }
      host.log().stream()
          .filter(line -> line.startsWith("Exception in thread") || line.startsWith("\tat "))
          .findFirst()
          .ifPresent(line -> journal.blame("%s has printed %s", host.name(), line));
    }
  }

  /** What a command of the product says as JSON; blamed unless it succeeds. */
  protected final JsonNode ask(Stage stage, String... command) throws InterruptedException {
    Product.Outcome said = tell(stage, command);
    try {
      if (said.exitCode() == 0) {
        return new ObjectMapper().readTree(said.output());
      }
    } catch (IOException noJson) {
      // Blamed below.
    }
    journal.blame(
        "%s: exit code %d, %s", String.join(" ", command), said.exitCode(), said.output());
    return MissingNode.getInstance();
  }

  private Product.Outcome tell(Stage stage, String... command) throws InterruptedException {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(List.of("-o", "json"));
    Product.Outcome said = stage.cluster().spawnJudge(words.toArray(String[]::new));
    journal.keep(String.join("-", command) + ".json", said.output());
    return said;
  }

  /** Keeps what tells why something does not move. */
  private void diagnose(Stage stage) throws InterruptedException {
    stage.hosts().stream().filter(Host::isRunning).forEach(Host::dumpThreads);
    tell(stage, "status");
    tell(stage, "takeovers");
    for (Host host : stage.hosts()) {
      List<String> log = host.log();
      journal.say("the last lines of %s:", host.name());
      log.subList(Math.max(0, log.size() - 10), log.size())
          .forEach(each -> journal.say("| %s", each));
    }
  }
}
