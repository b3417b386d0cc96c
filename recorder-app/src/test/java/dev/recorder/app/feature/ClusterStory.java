package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.proof.Books;
import dev.recorder.app.harness.proof.Oracle;
import dev.recorder.app.harness.proof.Proof;
import dev.recorder.testing.network.HttpTap;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A story with hosts; one that fails shows their logs. */
public abstract class ClusterStory implements BeforeEachCallback, AfterEachCallback {
  private static final Duration RECORDED_WITHIN = Duration.ofMinutes(2);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(60);
  private static final Pattern STACK_TRACE =
      Pattern.compile("^\\s+at |^Caused by: |^Exception in thread");

  private String name = "";
  private Cluster cluster;

  /** What the story takes place in. */
  protected abstract Cluster open() throws SQLException;

  /** Ends what must not outlive the cluster. */
  protected abstract void leave() throws Exception;

  @Override
  public void beforeEach(ExtensionContext context) throws SQLException {
    name = context.getDisplayName();
    cluster = open();
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    if (context.getExecutionException().isPresent()) {
      printLogs(cluster);
    }
    leave();
    cluster.close();
  }

  public Cluster cluster() {
    return cluster;
  }

  public HttpTap tap() {
    return cluster.tap();
  }

  /** Prints what was measured, with the story's name. */
  public void figure(String what, Object value) {
    System.out.println("figure: " + name + ": " + what + " " + value);
  }

  public static void printLogs(Cluster cluster) {
    for (Host host : cluster.hosts()) {
      System.err.println("log of " + host.name() + ":");
      host.log().forEach(line -> System.err.println("  " + line));
    }
  }

  /** Stops the hosts that run, in good order; none has printed what is not for people. */
  public static void stopHosts(Cluster cluster) {
    List<Host> running = cluster.hosts().stream().filter(Host::isRunning).toList();
    running.forEach(Host::terminate);
    for (Host host : running) {
      assertThat(host.awaitExit(STOP_WITHIN)).as("exit code of " + host.name()).isZero();
    }
    for (Host host : cluster.hosts()) {
      assertThat(host.log())
          .as("log of " + host.name())
          .noneMatch(line -> STACK_TRACE.matcher(line).find());
    }
  }

  /** Waits for the rest to be recorded, stops all hosts, and proves the log. */
  public static Proof prove(Cluster cluster, Books books) throws Exception {
    Oracle oracle = Oracle.of(cluster, books, fault -> {});
    assertThat(oracle.awaitRecorded(RECORDED_WITHIN)).as(() -> "" + oracle.proof()).isTrue();
    stopHosts(cluster);
    Proof proof = Proof.of(cluster, books);
    assertThat(proof.holds()).as(proof.toString()).isTrue();
    Product.Outcome verify = cluster.judge("verify", "-o", "json");
    assertThat(verify.exitCode()).as(verify.output()).isZero();
    JsonNode verdict = new ObjectMapper().readTree(verify.output());
    assertThat(verdict.path("ok").asBoolean()).isTrue();
    assertThat(verdict.path("rows").asLong()).isEqualTo(proof.rows() + proof.strays());
    return proof;
  }
}
