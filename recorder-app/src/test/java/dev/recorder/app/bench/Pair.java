package dev.recorder.app.bench;

import dev.recorder.app.harness.Applications;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.proof.Books;
import dev.recorder.app.harness.proof.Oracle;
import dev.recorder.app.harness.proof.Producer;
import dev.recorder.app.harness.proof.Proof;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.time.Duration;

/** Two hosts that record what applications insert. */
record Pair(Cluster cluster, Host a, Host b, Observer observer) {
  static final Duration DEADLINE = Duration.ofSeconds(60);

  /** What is measured with two hosts. */
  interface Measurement {
    /** Both are there, and the first is at work. */
    void measure(Pair pair) throws Exception;

    /** Everything has ended; true if it is as it should be. */
    boolean report(Pair pair, Proof proof) throws Exception;
  }

  /** Measures while rows come in, and proves at the end that they were recorded. */
  static boolean run(Wiring wiring, Measurement measurement) throws Exception {
    try (PostgresServer postgres = Machinery.start(PostgresServer.builder().durable());
        S3Server s3 = S3Server.start();
        Cluster cluster = Cluster.on(postgres, s3, wiring, "1s");
        Observer observer = new Observer(cluster.database())) {
      Host a = cluster.host("host-a", true, Particulars.STEADY);
      Host b = cluster.host("host-b", false, Particulars.STEADY);
      a.start();
      observer.await("host-a active", DEADLINE, state -> a.name().equals(state.holder()));
      b.start();
      observer.awaitReady(b, DEADLINE);
      Pair pair = new Pair(cluster, a, b, observer);
      Books books = new Books();
      try (Applications applications =
          Applications.start(
              cluster.database(), Producer.several(3, books), Duration.ofMillis(20))) {
        observer.awaitWorking(a, DEADLINE);
        measurement.measure(pair);
        applications.stop();
      }
      // When it takes too long the proof will tell what is missing.
      Oracle.of(cluster, books, fault -> {}).awaitRecorded(DEADLINE);
      cluster.hosts().forEach(Host::terminate);
      cluster.hosts().forEach(host -> host.awaitExit(DEADLINE));
      return measurement.report(pair, Proof.of(cluster, books));
    }
  }
}
