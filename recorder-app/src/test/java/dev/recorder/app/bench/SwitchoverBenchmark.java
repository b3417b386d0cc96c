package dev.recorder.app.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Ledger;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Producers;
import dev.recorder.app.harness.Proof;
import dev.recorder.app.harness.Takeover;
import dev.recorder.testing.AtExit;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.S3Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * How long nobody is active when an operator moves a recorder, while rows come in: the gap of the
 * receipt, from the release to the new epoch by the database's clock, and from the signals to the
 * successor's first settled slot. Arguments: runs (20).
 */
public final class SwitchoverBenchmark {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final String PRIMARY = "primary = true";
  private static final String SECONDARY = "primary = false";

  private final Random random = new Random(1);
  private final Ledger ledger = new Ledger();
  private final int runs;

  private SwitchoverBenchmark(int runs) {
    this.runs = runs;
  }

  public static void main(String[] arguments) {
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
    try {
      System.exit(new SwitchoverBenchmark(runs).run() ? 0 : 1);
    } catch (Throwable failed) {
      if (!AtExit.isEnding()) {
        System.err.println("the benchmark failed: " + failed);
        System.exit(1);
      }
    }
  }

  private boolean run() throws Exception {
    try (PostgresServer postgres = Machinery.start(PostgresServer.builder().durable());
        S3Server s3 = S3Server.start();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, "1s");
        Observer observer = new Observer(cluster.database())) {
      Host a = cluster.host("host-a", true, Particulars.STEADY);
      Host b = cluster.host("host-b", false, Particulars.STEADY);
      a.start();
      observer.await("host-a active", DEADLINE, state -> a.name().equals(state.holder()));
      b.start();
      observer.awaitReady(b, DEADLINE);
      List<Long> gaps = new ArrayList<>();
      List<Long> wholes = new ArrayList<>();
      try (Producers producers =
          Producers.start(cluster.database(), ledger, 3, Duration.ofMillis(20))) {
        observer.awaitWorking(a, DEADLINE);
        for (int run = 0; run < runs; run++) {
          Thread.sleep(1_000 + random.nextInt(500));
          Host from = run % 2 == 0 ? a : b;
          wholes.add(flip(from, run % 2 == 0 ? b : a, observer));
          List<Takeover> receipts = observer.takeovers();
          gaps.add(receipts.get(receipts.size() - 1).gapMillis());
        }
        producers.stop();
      }
      long start = System.nanoTime();
      while (cluster.bucket().rows() < ledger.rows()
          && System.nanoTime() - start < DEADLINE.toNanos()) {
        Thread.sleep(100);
      }
      cluster.hosts().forEach(Host::terminate);
      cluster.hosts().forEach(host -> host.awaitExit(DEADLINE));
      return report(gaps, wholes, Proof.of(cluster.bucket(), ledger));
    }
  }

  private static long flip(Host from, Host to, Observer observer) throws Exception {
    from.edit(PRIMARY, SECONDARY);
    to.edit(SECONDARY, PRIMARY);
    long start = System.nanoTime();
    from.hangUp();
    to.hangUp();
    long seen = observer.awaitWorking(to, DEADLINE).seenNanos();
    return Duration.ofNanos(seen - start).toMillis();
  }

  private boolean report(List<Long> gaps, List<Long> wholes, Proof proof) throws Exception {
    long[] sorted = gaps.stream().mapToLong(Long::longValue).sorted().toArray();
    long[] whole = wholes.stream().mapToLong(Long::longValue).sorted().toArray();
    System.out.println(
        String.format(
            Locale.ROOT,
            "%d switchovers: gap min %d, median %d, max %d ms; signal to first settled slot median"
                + " %d, max %d ms; %d rows, proof %s",
            sorted.length,
            sorted[0],
            sorted[sorted.length / 2],
            sorted[sorted.length - 1],
            whole[whole.length / 2],
            whole[whole.length - 1],
            proof.rows(),
            proof.holds() ? "holds" : "fails: " + proof));
    Map<String, Object> line = Machinery.line();
    line.put("switchovers", sorted.length);
    line.put("gap_median_ms", sorted[sorted.length / 2]);
    line.put("gap_max_ms", sorted[sorted.length - 1]);
    line.put("signal_to_settled_median_ms", whole[whole.length / 2]);
    line.put("signal_to_settled_max_ms", whole[whole.length - 1]);
    line.put("proof_holds", proof.holds());
    System.out.println(new ObjectMapper().writeValueAsString(line));
    return proof.holds();
  }
}
