package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Takeover;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.app.harness.proof.Proof;
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
public final class SwitchoverBenchmark implements Pair.Measurement {
  private static final String PRIMARY = "primary = true";
  private static final String SECONDARY = "primary = false";

  private final Random random = new Random(1);
  private final List<Long> gaps = new ArrayList<>();
  private final List<Long> wholes = new ArrayList<>();
  private final int runs;

  private SwitchoverBenchmark(int runs) {
    this.runs = runs;
  }

  public static void main(String[] arguments) {
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
    TestProgram.run("benchmark", () -> Pair.run(Wiring.DIRECT, new SwitchoverBenchmark(runs)));
  }

  @Override
  public void measure(Pair pair) throws Exception {
    for (int run = 0; run < runs; run++) {
      Thread.sleep(1_000 + random.nextInt(500));
      Host from = run % 2 == 0 ? pair.a() : pair.b();
      wholes.add(flip(from, run % 2 == 0 ? pair.b() : pair.a(), pair.observer()));
      List<Takeover> receipts = pair.observer().takeovers();
      gaps.add(receipts.get(receipts.size() - 1).gapMillis());
    }
  }

  private static long flip(Host from, Host to, Observer observer) throws Exception {
    from.edit(PRIMARY, SECONDARY);
    to.edit(SECONDARY, PRIMARY);
    long start = System.nanoTime();
    from.hangUp();
    to.hangUp();
    long seen = observer.awaitWorking(to, Pair.DEADLINE).seenNanos();
    return Duration.ofNanos(seen - start).toMillis();
  }

  @Override
  public boolean report(Pair pair, Proof proof) throws Exception {
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
    Machinery.print(line);
    return proof.holds();
  }
}
