package dev.recorder.app.feature;

import dev.recorder.app.cli.Run;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.ClusterSite;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Particulars;
import dev.recorder.testing.servers.S3Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Two hosts that all tests of a class share: host-a is the primary of the first log and has it,
 * host-b is ready to take it. A test that fails shows their logs.
 */
final class TwoHosts implements BeforeAllCallback, AfterAllCallback, AfterTestExecutionCallback {
  private static final Duration SOON = Duration.ofMinutes(3);

  private final Recording recording;
  private ClusterSite site;
  private Observer observer;
  private Host a;
  private Host b;

  TwoHosts(String... recorders) {
    this.recording = new Recording(List.of(recorders), "300ms");
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    site = new ClusterSite(Wiring.BY_PROXIES, recording);
    observer = Observer.ofStory(cluster().database());
    a = cluster().host("host-a", true, Particulars.PATIENT);
    b = cluster().host("host-b", false, Particulars.PATIENT);
    a.start();
    observer.await("first term", SOON, state -> "host-a".equals(state.holder()));
    b.start();
    observer.awaitReady(b, SOON);
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      ClusterStory.printLogs(cluster());
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    observer.close();
    site.close();
  }

  Cluster cluster() {
    return site.cluster();
  }

  Observer observer() {
    return observer;
  }

  Host a() {
    return a;
  }

  Host b() {
    return b;
  }

  /** A host's configuration. */
  Path file(Host host) {
    return cluster().file(host.name() + ".ini");
  }

  /** Runs a command of the product with a host's configuration. */
  Run run(Host host, String... words) {
    S3Server.knowInThisProcess();
    return Run.command(file(host), words);
  }
}
